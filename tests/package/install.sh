#!/bin/sh
# install.sh CMAKE BUILD_DIR CONSUMER_DIR VERSION CC: installs circ, moves the tree, and builds programs against it.
set -eu
cmake=$1 build=$2 consumer=$3 version=$4 cc=$5

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export DESTDIR=

expect_output() { # WANT PROGRAM...
	want=$1
	shift
	got=$("$@") || { echo "failed: $*"; exit 1; }
	[ "$got" = "$want" ] || { echo "$*: printed \"$got\", not \"$want\""; exit 1; }
}

"$cmake" --install "$build" --prefix "$work/first" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
mv "$work/first" "$work/prefix" # everything must find its way from where it is now
prefix=$work/prefix
libdir=$(dirname "$(find "$prefix" -name libcirc.a)")

[ -f "$prefix/include/circ/circ.h" ] || { echo "include/circ/circ.h is not installed"; exit 1; }
"$cc" -g -shared -fPIC "$prefix/share/circ/unwind_hook.c" -o "$work/unwind_hook.so" # for gdb: docs/debugging.md
"$prefix/bin/circ" --version | grep -qF "$version" || { echo "circ --version does not say $version"; exit 1; }

for file in man/man1/circ.1 bash-completion/completions/circ zsh/site-functions/_circ fish/vendor_completions.d/circ.fish; do
	[ -s "$prefix/share/$file" ] || { echo "share/$file is not installed"; exit 1; }
done

echo "== find_package"
"$cmake" -S "$consumer" -B "$work/consumer" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" >"$work/cmake.log" 2>&1 &&
	"$cmake" --build "$work/consumer" >>"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }
expect_output "circ $version" "$work/consumer/shared"
expect_output "circ $version" "$work/consumer/static"
expect_output "42" "$work/consumer/mixed"

echo "== cross compiling for the system that circ runs on"
printf 'set(CMAKE_SYSTEM_NAME %s)\nset(CMAKE_SYSTEM_PROCESSOR %s)\n' "$(uname -s)" "$(uname -m)" >"$work/same.cmake"
"$cmake" -S "$consumer" -B "$work/cross" -G Ninja --toolchain "$work/same.cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" >"$work/cmake.log" 2>&1 &&
	"$cmake" --build "$work/cross" --target shared mixed >>"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }
expect_output "circ $version" "$work/cross/shared"
expect_output "42" "$work/cross/mixed"

echo "== a program for Windows"
runtime=$(find "$prefix" -name circrt.lib)
if [ -n "$runtime" ] && { command -v lld-link || command -v lld-link-22; } >/dev/null; then
	printf '%s\n' 'cir.func @main() -> !s32i {' '%0 = cir.const #cir.int<7> : !s32i' 'cir.return %0 : !s32i' '}' >"$work/main.cir"
	"$prefix/bin/circ" --target=x86_64-pc-windows-msvc "$work/main.cir" -o "$work/main.exe"
	expect_output "linked" "$work/consumer/windows" "$work/main.cir" "$work/api.exe"
else
	echo "SKIPPED: no lld-link, or circ was built without clang"
fi

echo "== pkg-config"
command -v pkg-config >/dev/null || { echo "SKIPPED the rest: pkg-config not found"; exit 0; }
export PKG_CONFIG_PATH="$libdir/pkgconfig"
# shellcheck disable=SC2046
"$cc" "$consumer/version.c" $(pkg-config --cflags --libs circ) -o "$work/pc"
expect_output "circ $version" env LD_LIBRARY_PATH="$libdir" "$work/pc"
expect_output "$version" pkg-config --modversion circ
