#!/bin/sh
# cppcheck.sh SOURCE_DIR [RESULTS]: cppcheck has nothing to say. RESULTS is a folder that keeps what it found, so that the next run reads
# only the files that changed. Version 2.10 (Debian 12); what it is wrong about stands in cppcheck.suppress.
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
[ -z "${2-}" ] || mkdir -p "$2"
# shellcheck disable=SC2086
exec cppcheck ${2:+--cppcheck-build-dir="$2"} --quiet --error-exitcode=1 --enable=warning,portability,performance --std=c11 -I src -I include -D_GNU_SOURCE -D__GNUC__=12 \
	--suppressions-list=tests/style/cppcheck.suppress --suppress=unmatchedSuppression \
	--template='{file}:{line}: {id}: {message}' $folders
