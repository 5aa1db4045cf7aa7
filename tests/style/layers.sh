#!/bin/sh
# layers.sh SOURCE_DIR: every include in src/ points down the pipeline (docs/architecture.md), and only the folders that end in
# "llvm" below include LLVM, through its C interface. A folder that is not listed is an error, so that a new one gets its row.
set -eu
cd "$1"

# folder: the folders whose headers it may include, its own among them; llvm = <llvm-c/...>. A folder stands for those inside it
# as well, but for the ones that have a row of their own.
allowed() {
	case $1 in
	base)           echo "circ base" ;;
	ir)             echo "circ base ir" ;;
	target)         echo "circ base ir target" ;;
	verify)         echo "circ base ir target verify" ;;
	text)           echo "circ base ir text text/read text/old" ;;
	text/read)      echo "circ base ir text text/read" ;;
	text/old)       echo "circ base ir text text/read text/old" ;;
	text/print)     echo "circ base ir text text/print" ;;
	repair)         echo "circ base ir target repair" ;;
	msvc)           echo "circ base ir target msvc" ;;
	expand)         echo "circ base ir target msvc expand" ;; # of msvc: which classes the module describes
	flatten)        echo "circ base ir target flatten" ;;
	eh)             echo "circ base ir target eh" ;;
	eh/itanium)     echo "circ base ir target verify eh eh/itanium" ;;
	eh/microsoft)   echo "circ base ir target verify call msvc eh eh/microsoft" ;;
	eh/sjlj)        echo "circ base ir eh eh/sjlj" ;;
	eh/wasm)        echo "circ base ir target eh eh/wasm" ;;
	call)           echo "circ base ir target msvc call call/guess" ;; # of msvc: what a mangled name says of a function
	call/guess)     echo "circ base ir msvc call/guess" ;;
	raise)          echo "circ base ir raise llvm" ;;
	lift)           echo "circ base ir lift" ;;
	lower)          echo "circ base ir target lower llvm" ;;
	emit)           echo "circ base target emit emit/llvm_gaps llvm" ;;
	emit/llvm_gaps) echo "circ base target emit emit/llvm_gaps join llvm" ;;
	join)           echo "circ base join llvm" ;;
	link)           echo "circ base target emit link" ;;
	jit)            echo "circ base target emit jit llvm" ;;
	pipeline)       echo "circ base ir target verify repair expand flatten lift eh/itanium eh/microsoft eh/sjlj eh/wasm call lower emit join pipeline llvm" ;;
	explain)        echo "circ base ir target eh explain explain/object" ;;
	explain/object) echo "circ base explain/object" ;;
	explain/names)  echo "explain/names" ;;
	api)            echo "circ base ir verify text text/print raise lift emit link jit pipeline explain explain/names api" ;;
	view/page)      echo "view/page" ;; # no C
	view)           echo "circ base ir text text/print emit pipeline explain explain/names view" ;;
	lsp)            echo "circ base ir text text/read text/print pipeline cjson lsp" ;; # of text/read: the lexer
	driver)         echo "circ base ir text text/print raise eh eh/microsoft lift emit link jit pipeline explain explain/names view lsp driver" ;;
	manual)         echo "manual driver" ;; # of driver: options.def alone
	runtime)        echo "runtime" ;;
	*)              echo "" ;;
	esac
}

status=0
for folder in src/*/ src/*/*/; do
	name=${folder#src/}
	name=${name%/}
	case $name in runtime/*) continue ;; esac
	may=$(allowed "$name")
	if [ -z "$may" ]; then
		echo "src/$name: not in the table of tests/style/layers.sh"
		status=1
		continue
	fi
	for file in "$folder"*.c "$folder"*.h "$folder"*.def; do
		[ -f "$file" ] || continue
		# "base/arena.h" -> its line number and folder; <llvm-c/Core.h> and <llvm/...> -> llvm
		bad=$(awk -v may=" $may " '
			/^[ \t]*#[ \t]*include[ \t]*</ {
				if ($0 ~ /<(llvm|clang|mlir)\//) { print FNR ": C++ of LLVM: " $0; next }
				if ($0 ~ /<llvm-c\// && !index(may, " llvm ")) { print FNR ": " $0; next }
				if ($0 ~ /<circ\//) { print FNR ": write \"circ/...\": " $0; next }
			}
			/^[ \t]*#[ \t]*include[ \t]*"/ {
				path = $0; sub(/^[^"]*"/, "", path); sub(/".*$/, "", path)
				dir = path
				if (!sub(/\/[^\/]*$/, "", dir)) { print FNR ": write the folder: " $0; next }
				if (dir == "llvm-c") { print FNR ": write <llvm-c/...>: " $0; next }
				if (!index(may, " " dir " ")) print FNR ": " $0
			}' "$file")
		if [ -n "$bad" ]; then
			echo "$bad" | sed "s|^|$file:|"
			status=1
		fi
	done
done
for file in src/*/*.cc src/*/*.cpp src/*/*.cxx src/*/*/*.cc src/*/*/*.cpp src/*/*/*.cxx; do
	[ ! -f "$file" ] || { echo "$file: no C++ in src/"; status=1; }
done

# A machine is a row (src/target, and tables by AbiProcessor or ObjectMachine): nothing else asks which one it is.
machines='[!=]= *(PROCESSOR_|OBJECT_(X86_64|AARCH64))|strn?cmp\([^)]*"(wasm|x86|aarch64|arm64)'
if grep -rnE "$machines" src --include='*.[ch]' | grep -vE '^src/(target|call|join|runtime)/'; then
	echo "put it into a table with a row per machine"
	status=1
fi
[ "$status" = 0 ] || echo "includes must follow the table in tests/style/layers.sh"
exit "$status"
