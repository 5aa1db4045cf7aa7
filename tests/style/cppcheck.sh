#!/bin/sh
# cppcheck.sh SOURCE_DIR: cppcheck has nothing to say. Version 2.10 (Debian 12); what it is wrong about stands in cppcheck.suppress.
set -eu
cd "$1"
command -v cppcheck >/dev/null || {
	echo "SKIPPED: cppcheck not found; install it with ./bootstrap deps check"
	exit 77
}
folders=
for folder in src/*/; do # runtime: C of Windows, without a C library
	[ "$folder" = src/runtime/ ] || folders="$folders $folder"
done
# shellcheck disable=SC2086
exec cppcheck --quiet --error-exitcode=1 --enable=warning,portability,performance --std=c11 -I src -I include -D_GNU_SOURCE -D__GNUC__=12 \
	--suppressions-list=tests/style/cppcheck.suppress --suppress=unmatchedSuppression \
	--template='{file}:{line}: {id}: {message}' $folders
