#!/bin/sh
# twin.sh CIRC CLANGXX CXXLIB EXAMPLES_DIR NAME: NAME.cir with NAME.cpp prints what NAME.cpp prints with its twin in C++.
set -eu
circ=$1 cxx=$2 cxxlib=$3 examples=$4 name=$5

if ! "$cxx" --version >/dev/null 2>&1; then
	echo "SKIPPED: clang++ not found; install it with ./bootstrap deps check"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
unwind=
[ "$cxxlib" != libc++ ] || unwind=-lunwind

"$cxx" -stdlib="$cxxlib" -DTWIN "$examples/$name.cpp" $unwind -o "$work/twin"
"$work/twin" >"$work/expected"
for opt in -O0 -O2; do
	"$circ" $opt -c "$examples/$name.cir" -o "$work/$name.o"
	"$cxx" -stdlib="$cxxlib" "$examples/$name.cpp" "$work/$name.o" $unwind -o "$work/$name"
	"$work/$name" >"$work/out"
	diff -u "$work/expected" "$work/out" || { echo "circ $opt, $cxxlib: another trace"; exit 1; }
done
