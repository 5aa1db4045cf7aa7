#!/bin/sh
# format.sh SOURCE_DIR CLANG_FORMAT [--fix]: the C files look as .clang-format says; --fix makes them so.
set -eu
cd "$1"
if ! "${2:-false}" --version >/dev/null 2>&1; then
	echo "SKIPPED: clang-format-14 not found; install it with ./bootstrap deps check"
	exit 77
fi
how="--dry-run --Werror --ferror-limit=3"
[ "${3:-}" != --fix ] || how=-i
# shellcheck disable=SC2086
find src include tests examples bench -name '*.[ch]' -type f -not -path 'tests/e2e/*' 2>/dev/null | LC_ALL=C sort |
	xargs -r "$2" $how || {
	echo "to mend: cmake --build BUILD_DIR --target format, or $(basename "$2") -i FILE..."
	exit 1
}
