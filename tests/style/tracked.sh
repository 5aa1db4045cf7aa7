#!/bin/sh
# tracked.sh SOURCE: nothing that a build makes is in the repository, and scripts in Python start by their names, as the documentation starts them.
cd "$1" || exit 1
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "SKIPPED: not a git checkout"; exit 77; }
status=0
found=$(git ls-files -ci --exclude-standard; git ls-files | grep -E '(^|/)(CMakeCache\.txt|[^/]*\.(o|obj|pyc))$')
[ -z "$found" ] || { echo "tracked, but made by a build or ignored:"; echo "$found" | head -n 20; status=1; }
plain=$(git grep -l '^#!/usr/bin/env python3$' -- '*.py' | while read -r file; do [ -x "$file" ] || echo "$file"; done)
[ -z "$plain" ] || { echo "begins with #!, but is not executable:"; echo "$plain" | head -n 20; status=1; }
exit $status
