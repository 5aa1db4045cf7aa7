#!/bin/sh
# tidy.sh SOURCE_DIR BUILD_DIR CLANG_TIDY: clang-tidy has nothing to say; .clang-tidy has the checks. Takes minutes: .ci/run does it, no ctest.
set -eu
cd "$1"
ls src/*/*.c src/*/*/*.c | grep -v '^src/runtime/' |
	xargs -P "${JOBS:-$(nproc)}" -n 8 "$3" -p "$2" --quiet --extra-arg=-Wno-unknown-warning-option
