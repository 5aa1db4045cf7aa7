#!/bin/sh
# language.sh CMAKE BUILD_DIR PROJECT_DIR CXX [WINE...]: installs circ, and builds a project of C++ and CIR against it, by Ninja and by make, for
# this system and for Windows. WINE... runs a program for Windows.
set -eu
cmake=$1 build=$2 project=$3 cxx=$4
shift 4

only=$(dirname "$project")/only

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export DESTDIR= CIRFLAGS= CXXFLAGS= LDFLAGS=
prefix=$work/prefix
"$cmake" --install "$build" --prefix "$prefix" >"$work/install.log" || { cat "$work/install.log"; exit 1; }

fail() { echo "$*"; exit 1; }
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
configure() { # FOLDER OPTION...
	folder=$work/$1
	shift
	quietly "$cmake" -S "$project" -B "$folder" "$@"
	! grep -iE 'warning|CURL|FFI|could not find' "$work/log" || fail "configuring said that"
}
expect() { # WANT PROGRAM...
	want=$1
	shift
	got=$("$@" | tr -d '\r') || fail "failed: $*"
	[ "$got" = "$want" ] || fail "$*: printed \"$got\", not \"$want\""
}
command_of() { # FOLDER OBJECT: how the object is compiled
	grep '"command"' "$work/$1/compile_commands.json" | grep -F -e "-o CMakeFiles/$2 " || fail "compile_commands.json does not have $2"
}
has() { # FOLDER OBJECT OPTION...
	line=" $(command_of "$1" "$2") "
	shift 2
	for option; do
		case $line in *" $option "*) ;; *) fail "no '$option' in: $line" ;; esac
	done
}
lacks() { # FOLDER OBJECT OPTION
	line=" $(command_of "$1" "$2") "
	case $line in *" $3"*) fail "'$3' in: $line" ;; esac
}
echo "== Ninja, Debug"
configure ninja -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_CIR_FLAGS=--from=auto
quietly "$cmake" --build "$work/ninja"
for program in app app_static app_objects app_added app_shared fixed pie llvm; do
	expect "caught 41" "$work/ninja/$program"
done
expect "alone" "$work/ninja/alone"
expect "alone" "$work/ninja/finds"
[ -f "$work/ninja/libthrower_module.so" ] || fail "no module was made"
has ninja app.dir/thrower.cir.o -g --from=auto --max-copied-ops=1000
lacks ninja app.dir/thrower.cir.o -D
lacks ninja app.dir/thrower.cir.o -Wall
lacks ninja app.dir/main.cpp.o --max-copied-ops
has ninja added_objects.dir/thrower.cir.o -g -O1
lacks ninja thrower_static.dir/thrower.cir.o -O
has ninja thrower_shared.dir/thrower.cir.o -fPIC
has ninja thrower_module.dir/thrower.cir.o -fPIC
has ninja pie.dir/thrower.cir.o -fPIE
lacks ninja fixed.dir/thrower.cir.o -fP
quietly "$cmake" --build "$work/ninja"
grep -q 'no work to do' "$work/log" || { cat "$work/log"; fail "built again without need"; }

echo "== Make, Release"
mkdir "$work/source" && cp "$project"/* "$work/source"
project=$work/source
configure make -G "Unix Makefiles" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx"
quietly "$cmake" --build "$work/make" --target app_shared alone
expect "caught 41" "$work/make/app_shared"
sleep 1
touch "$work/source/alone.cir"
quietly "$cmake" --build "$work/make" --target app_shared alone
[ "$(grep -c 'Building CIR' "$work/log")" = 1 ] || { cat "$work/log"; fail "not one file was compiled again, which had changed"; }
for again in 1 2; do quietly "$cmake" --build "$work/make" --target circ_compile_commands; done
has make alone.dir/alone.cir.o -O2
has make thrower_shared.dir/thrower.cir.o -O2 -fPIC
[ "$(grep -c '"file"' "$work/make/compile_commands.json")" = "$(grep -c '"file"' "$work/ninja/compile_commands.json")" ] || fail "not the commands that Ninja runs"
cp "$work/make/compile_commands.json" "$work/first.json"
quietly "$cmake" -S "$project" -B "$work/make" # writes it anew
quietly "$cmake" --build "$work/make" --target circ_compile_commands
cmp "$work/first.json" "$work/make/compile_commands.json" || fail "other commands when it was configured again"
python3 -m json.tool "$work/first.json" >"$work/log" || fail "not JSON"
configure optimized -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx"
has optimized alone.dir/alone.cir.o -O2 -g
configure small -G Ninja -DCMAKE_BUILD_TYPE=MinSizeRel -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx"
has small alone.dir/alone.cir.o -Os
configure own -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CIR_FLAGS_RELEASE=-O3 -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx"
has own alone.dir/alone.cir.o -O3
lacks own alone.dir/alone.cir.o -O2

echo "== Nothing but CIR, by the name of circ, with a launcher"
answers() { # PROGRAM...: ends with 42
	code=0
	"$@" || code=$?
	[ "$code" = 42 ] || fail "$* ended with $code, not 42"
}
printf '#!/bin/sh\necho launched >>"%s"\nexec "$@"\n' "$work/launched" >"$work/launch me" && chmod +x "$work/launch me"
modules=$(dirname "$(find "$prefix" -name CMakeDetermineCIRCompiler.cmake)")
quietly env PATH="$prefix/bin:$PATH" "$cmake" -S "$only" -B "$work/only" -G Ninja -DCMAKE_MODULE_PATH="$modules" -DCMAKE_CIR_COMPILER=circ \
	"-DCMAKE_CIR_COMPILER_LAUNCHER=$work/launch me" -DCMAKE_INSTALL_PREFIX="$work/only-prefix"
quietly "$cmake" --build "$work/only"
[ "$(grep -c launched "$work/launched")" = 2 ] || fail "the launcher did not run for each of two files"
answers "$work/only/asks"
readelf --dyn-syms "$work/only/asks" | grep -q ' main$' || fail "ENABLE_EXPORTS exports nothing"
quietly "$cmake" --install "$work/only"
rm -rf "$work/only"
answers "$work/only-prefix/bin/asks"

echo "== The target is the toolchain's, and what circ has not is told"
said() { # WORDS PROGRAM...: it fails, and says them
	words=$1
	shift
	! "$@" >"$work/log" 2>&1 && tr -s '\n ' ' ' <"$work/log" | grep -qF "$words" || { cat "$work/log"; fail "not said: $words"; }
}
printf 'set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR riscv64)\n' >"$work/other.cmake"
said "circ does not know the target for Linux on 'riscv64'" "$cmake" -S "$only" -B "$work/other" --toolchain "$work/other.cmake" -DCMAKE_MODULE_PATH="$modules"
said "/nowhere/circ is no circ that works" env CIRC=/nowhere/circ "$cmake" -S "$project" -B "$work/nowhere" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx"

echo "== Pointers of 32 bits"
mkdir "$work/wasm" && cp "$project/alone.cir" "$work/wasm"
cat >"$work/wasm/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(wasm LANGUAGES CXX)
find_package(circ 0.1 REQUIRED)
add_library(alone STATIC alone.cir)
EOF
printf 'set(CMAKE_SYSTEM_NAME Generic)\nset(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\nset(CMAKE_CXX_COMPILER_TARGET wasm32-wasip1)\n' >"$work/wasm.cmake"
quietly "$cmake" -S "$work/wasm" -B "$work/wasm-build" --toolchain "$work/wasm.cmake" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx"
quietly "$cmake" --build "$work/wasm-build"
[ "$(head -c 4 "$(find "$work/wasm-build" -name alone.cir.o)" | tr -d '\0')" = asm ] || fail "no object for WebAssembly"

echo "== AArch64"
if command -v aarch64-linux-gnu-g++ >/dev/null && [ -n "$(find "$prefix" -path '*aarch64*' -name libcircrt.a)" ]; then
	printf 'set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR aarch64)\n' >"$work/arm.cmake"
	configure arm -G Ninja --toolchain "$work/arm.cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_MODULE_PATH="$modules" -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++
	quietly "$cmake" --build "$work/arm"
	if command -v qemu-aarch64 >/dev/null; then
		for program in app app_static app_objects app_added app_shared fixed pie; do
			expect "caught 41" qemu-aarch64 -L /usr/aarch64-linux-gnu "$work/arm/$program"
		done
		expect "alone" qemu-aarch64 -L /usr/aarch64-linux-gnu "$work/arm/alone"
	fi
else
	echo "SKIPPED: no aarch64-linux-gnu-g++, or circ was built without"
fi

for target in msvc gnu; do
	echo "== windows-$target"
	case $target in
	msvc) needs=lld-link-22 ;;
	gnu) needs=x86_64-w64-mingw32-g++-posix ;;
	esac
	command -v $needs >/dev/null && [ -n "$(find "$prefix" -name circrt.lib)" ] || { echo "SKIPPED: no $needs, or circ was built without clang"; continue; }
	configure $target -G Ninja -DCMAKE_BUILD_TYPE=Release --toolchain "$(find "$prefix" -name windows-$target.cmake)"
	quietly "$cmake" --build "$work/$target"
	has $target app.dir/thrower.cir.obj -O2
	grep -q '"command".*--target=x86_64-[a-z0-9]*-windows-'$target'.*thrower.cir' "$work/$target/compile_commands.json" || fail "not compiled for $target"
	[ $# != 0 ] || { echo "SKIPPED: no Wine to run it"; continue; }
	for program in app app_static app_objects app_added; do
		expect "caught 41" "$@" "$work/$target/$program.exe"
	done
	expect "alone" "$@" "$work/$target/alone.exe"
	quietly "$cmake" -S "$only" -B "$work/only-$target" -G Ninja -DCMAKE_BUILD_TYPE=Debug --toolchain "$(find "$prefix" -name windows-$target.cmake)"
	quietly "$cmake" --build "$work/only-$target"
	answers "$@" "$work/only-$target/asks.exe"
	[ $target != msvc ] || [ -f "$work/only-$target/asks.pdb" ] || fail "no PDB in Debug"
done
