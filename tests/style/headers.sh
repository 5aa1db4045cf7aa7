#!/bin/sh
# headers.sh SOURCE_DIR CC [LLVM_INCLUDE_DIR...]: each header compiles alone; the public ones as C++ too, and all of them in one file.
set -eu
cd "$1"
cc=$2
shift 2
llvm=
for dir in "$@"; do
	llvm="$llvm -isystem $dir"
done

compile() { # LANGUAGE STANDARD HEADER INCLUDE_FLAGS...
	language=$1 standard=$2 header=$3
	shift 3
	echo "#include \"$header\"" |
		"$cc" -x "$language" -std="$standard" -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -I. "$@" - && return
	echo "$header: does not compile alone as $language"
	return 1
}

# A C compiler without its C++ half: the check of C++ is left out.
cplusplus=yes
echo 'int x;' | "$cc" -x c++ -fsyntax-only - 2>/dev/null || cplusplus=

status=0
for header in include/circ/*.h; do
	[ -f "$header" ] || continue
	compile c c99 "$header" -pedantic -Iinclude || status=1
	[ -z "$cplusplus" ] || compile c++ c++11 "$header" -pedantic -Iinclude || status=1
done

# All public ones, in an order and its reverse, so that of any two each is once before the other.
together() { # LANGUAGE STANDARD HEADER...
	language=$1 standard=$2
	shift 2
	printf '#include "%s"\n' "$@" |
		"$cc" -x "$language" -std="$standard" -Wall -Wextra -Werror -pedantic -fsyntax-only -I. -Iinclude - && return
	echo "$*: do not compile together as $standard"
	return 1
}
both_orders() { # LANGUAGE STANDARD
	# shellcheck disable=SC2046
	together "$1" "$2" include/circ/*.h && together "$1" "$2" $(printf '%s\n' include/circ/*.h | sort -r)
}
{ both_orders c c99 && both_orders c c17; } || status=1
[ -z "$cplusplus" ] || { both_orders c++ c++11 && both_orders c++ c++20; } || status=1

for header in src/*/*.h src/*/*/*.h; do
	[ -f "$header" ] || continue
	case $header in
	src/runtime/*) ;;
	src/raise/* | src/lower/* | src/emit/* | src/join/* | src/link/* | src/jit/* | src/pipeline/* | src/api/* | src/driver/* | src/lsp/* | src/view/*)
		# shellcheck disable=SC2086
		[ -z "$llvm" ] || compile c c17 "$header" -Isrc -Iinclude $llvm || status=1
		;;
	*) compile c c17 "$header" -Isrc -Iinclude || status=1 ;;
	esac
done
exit "$status"
