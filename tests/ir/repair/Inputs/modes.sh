# modes.sh CIRC FILE FOLDER: FILE holds one thing that clang printed wrong, and begins with
#
#	// place: L:C       of it
#	// remark: TEXT     said when it is repaired
#	// warning: TEXT    what clang is known to print wrong
#	// newer            the text has spellings of after the time when clang printed so: it proves that no clang with the bug did, and nothing is said
#
# It is repaired where --repair=clang or the text says so, and else it is left as it is.
set -eu
circ=$1 file=$2 folder=$3
mkdir -p "$folder"
expect() { sed -n "s|^// $1: ||p" "$file"; }

# says NAME TEXT…: what circ wrote to standard error for the text NAME is one message, of this text, or nothing
says() {
	said=$(sed -n 's|^[^ ]*:\([0-9]*:[0-9]*: [a-z]*: .*\)|\1|p' "$folder/$1.err")
	[ "$said" = "$2" ] || { echo "$file: $1: said '$said', expected '$2'"; exit 1; }
}

make() { # NAME FILE OPTION…
	name=$1 from=$2
	shift 2
	"$circ" --emit=flat "$@" "$from" -o - 2>"$folder/$name.err" >"$folder/$name.cir" || { cat "$folder/$name.err"; exit 1; }
}

remark="$(expect place): remark: $(expect remark); --repair=none leaves it as it is"
warning="$(expect place): warning: clang is known to print this wrong: $(expect warning); it is compiled as written, \
because nothing proves that clang printed this text; use --repair=clang if it did, or --repair=none if the text is right"

"$circ" --from=newest --verify-only "$file"
make none "$file" --repair=none
says none ""
make newest "$file" --from=newest
says newest ""
cmp "$folder/none.cir" "$folder/newest.cir"
make auto "$file"
says auto "$warning"
cmp "$folder/none.cir" "$folder/auto.cir"
make clang "$file" --repair=clang
says clang "$remark"
if cmp -s "$folder/none.cir" "$folder/clang.cir"; then
	echo "$file: --repair=clang changes nothing"
	exit 1
fi
make newest-clang "$file" --from=newest --repair=clang
says newest-clang "$remark"
cmp "$folder/clang.cir" "$folder/newest-clang.cir"

# An attribute of clang's
sed '0,/^module {/s//module attributes {cir.type_size_info = #cir.type_size_info<char = 8, int = 32, size_t = 64>} {/' "$file" >"$folder/attribute.in"
make attribute "$folder/attribute.in"
sed 's/^module attributes {.*} {/module {/' "$folder/attribute.cir" >"$folder/attribute.bare"
if grep -q '^// newer' "$file"; then
	says attribute ""
	cmp "$folder/attribute.bare" "$folder/none.cir"
else
	says attribute "$remark"
	cmp "$folder/attribute.bare" "$folder/clang.cir"
fi

# A spelling that only older versions of clang print: not beside ones that only newer versions do
sed '$d' "$file" >"$folder/spelling.in"
printf '  cir.func private @older_spelling(!cir.ptr<!cir.struct<struct "Older" {!cir.int<s, 32>}>>)\n}\n' >>"$folder/spelling.in"
make spelling "$folder/spelling.in"
if grep -q 'cir.alloca "\|{data \|{pad \|cir.cmp [a-z]' "$file"; then
	says spelling "$warning"
else
	says spelling "$remark"
fi
