#!/bin/sh
# layers.sh SOURCE_DIR: every include in src/ points down the pipeline (docs/architecture.md), and only lower/ and emit/
# include LLVM, through its C interface. A folder that is not listed is an error, so that a new one gets its row.
set -eu
cd "$1"

# folder: the folders whose headers it may include, its own among them; llvm = <llvm-c/...>
allowed() {
	case $1 in
	base)    echo "circ base" ;;
	ir)      echo "circ base ir" ;;
	text)    echo "circ base ir text" ;;
	expand)  echo "circ base ir abi expand" ;; # of abi: the rows of the targets, what the module tells of classes
	flatten) echo "circ base ir abi flatten" ;; # of abi: the rows of the targets
	abi)     echo "circ base ir abi" ;;
	lower)   echo "circ base ir lower llvm" ;;
	emit)    echo "circ base emit llvm" ;;
	api)     echo "circ base ir text expand flatten abi lower emit api" ;;
	driver)  echo "circ base ir text expand flatten abi lower emit driver" ;;
	runtime) echo "runtime" ;;
	*)       echo "" ;;
	esac
}

status=0
for folder in src/*/; do
	name=$(basename "$folder")
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
				if (!sub(/\/.*$/, "", dir)) { print FNR ": write the folder: " $0; next }
				if (dir == "llvm-c") { print FNR ": write <llvm-c/...>: " $0; next }
				if (!index(may, " " dir " ")) print FNR ": " $0
			}' "$file")
		if [ -n "$bad" ]; then
			echo "$bad" | sed "s|^|$file:|"
			status=1
		fi
	done
done
for file in src/*/*.cc src/*/*.cpp src/*/*.cxx; do
	[ ! -f "$file" ] || { echo "$file: no C++ in src/"; status=1; }
done
[ "$status" = 0 ] || echo "includes must follow the table in tests/style/layers.sh"
exit "$status"
