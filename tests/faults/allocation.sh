#!/bin/sh
# allocation.sh PROGRAM FOLDER ARGUMENT...: makes the folder, runs PROGRAM in it.
set -eu
program=$1 folder=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder/out" "$folder/tmp" "$folder/bin"
ln -s out/out "$folder/link"
# A linker that makes a program of nothing.
cat >"$folder/bin/clang++" <<'END'
#!/bin/sh
while [ $# -gt 0 ]; do
	case $1 in
	-o) echo program >"$2" ;;
	[-/]out:*) echo program >"${1#?out:}" ;;
	esac
	shift
done
END
chmod +x "$folder/bin/clang++"
for name in g++ lld-link; do
	ln -s clang++ "$folder/bin/$name"
done
exec "$program" "$@"
