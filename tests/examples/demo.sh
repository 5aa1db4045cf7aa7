#!/bin/sh
# demo.sh CIRC CLANGXX CXXLIB EXAMPLES_DIR EXPECTED [PYTHON WINE_PREFIX]: examples/demo.cir with demo.cpp prints the trace that C++ would.
# CXXLIB msvc: as a program for Windows.
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
	if [ "$cxxlib" = msvc ]; then
		tests=$(dirname "$0")/..
		target=--target=x86_64-pc-windows-msvc
		"$cxx" $target -isystem "$tests/windows/include" -c "$examples/demo.cpp" -o "$work/main.obj"
		"$circ" $target $opt "$examples/demo.cir" "$work/main.obj" -o "$work/demo.exe"
		"$6" "$tests/wine/wine.py" run "$7" "$work/demo.exe" | tr -d '\r' >"$work/out"
	else
		"$circ" $opt -c "$examples/demo.cir" -o "$work/demo.o"
		"$cxx" -stdlib="$cxxlib" "$examples/demo.cpp" "$work/demo.o" $unwind -o "$work/demo"
		"$work/demo" >"$work/out"
	fi
	diff -u "$expected" "$work/out" || { echo "circ $opt, $cxxlib: another trace"; exit 1; }
done
