#!/bin/sh
# demo.sh CIRC CLANGXX CXXLIB EXAMPLES_DIR EXPECTED: examples/demo.cir with demo.cpp prints the trace that C++ would.
set -eu
circ=$1 cxx=$2 cxxlib=$3 examples=$4 expected=$5

if ! "$cxx" --version >/dev/null 2>&1; then
	echo "SKIPPED: clang++ not found; install it with ./bootstrap deps check"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
unwind=
[ "$cxxlib" != libc++ ] || unwind=-lunwind

for opt in -O0 -O2; do
	"$circ" $opt -c "$examples/demo.cir" -o "$work/demo.o"
	"$cxx" -stdlib="$cxxlib" "$examples/demo.cpp" "$work/demo.o" $unwind -o "$work/demo"
	"$work/demo" >"$work/out"
	diff -u "$expected" "$work/out" || { echo "circ $opt, $cxxlib: another trace"; exit 1; }
done
