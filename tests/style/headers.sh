#!/bin/sh
# headers.sh SOURCE_DIR CC [LLVM_INCLUDE_DIR...]: each header compiles alone; the public ones as C++ too.
set -eu
cd "$1"
cc=$2
shift 2
llvm=
for dir in "$@"; do
	llvm="$llvm -isystem $dir"
done

status=0
for header in include/circ/*.h src/*/*.h; do
	[ -f "$header" ] || continue
	inc="-Iinclude"
	case $header in
	src/lower/* | src/emit/*)
		[ -n "$llvm" ] || continue
		inc="-Isrc -Iinclude $llvm"
		;;
	src/*) inc="-Isrc -Iinclude" ;;
	esac
	# shellcheck disable=SC2086
	echo "#include \"$header\"" | "$cc" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -x c -I. $inc - || {
		echo "$header: does not compile alone"
		status=1
	}
done
for header in include/circ/*.h; do
	[ -f "$header" ] || continue
	echo "#include \"$header\"" | "$cc" -std=c++11 -Wall -Wextra -Werror -fsyntax-only -x c++ -I. -Iinclude - 2>/dev/null ||
		echo "int x;" | "$cc" -fsyntax-only -x c++ - 2>&1 | grep -q . || {
		echo "$header: does not compile as C++"
		status=1
	}
done
exit "$status"
