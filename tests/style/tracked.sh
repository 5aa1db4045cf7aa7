#!/bin/sh
# tracked.sh SOURCE: nothing that a build makes is in the repository.
cd "$1" || exit 1
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "SKIPPED: not a git checkout"; exit 77; }
found=$(git ls-files -ci --exclude-standard; git ls-files | grep -E '(^|/)(CMakeCache\.txt|[^/]*\.(o|obj|pyc))$')
[ -z "$found" ] || { echo "tracked, but made by a build or ignored:"; echo "$found" | head -n 20; exit 1; }
