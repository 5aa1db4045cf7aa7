# proofs.sh CIRC FILE FOLDER: FILE with an attribute or a line more is repaired, or not.
set -u
circ=$1 file=$2 folder=$3 failed=0
mkdir -p "$folder"

expect() { # WHAT IS-REPAIRED (the text is in changed.cir)
	if ! "$circ" --emit=flat "$folder/changed.cir" -o "$folder/flat.cir" 2>"$folder/errors"; then
		cat "$folder/errors"
		failed=1
	elif grep -q cir.free.exception "$folder/flat.cir"; then
		[ "$2" = yes ] || { echo "repaired: $1"; failed=1; }
	else
		[ "$2" = no ] || { echo "not repaired: $1"; failed=1; }
	fi
}
attribute() { # IS-REPAIRED ATTRIBUTES
	sed "s/^module {/module attributes {$2} {/" "$file" >"$folder/changed.cir"
	expect "$2" "$1"
}
line() { # IS-REPAIRED LINE… at the end of the module
	repaired=$1
	shift
	sed '$d' "$file" >"$folder/changed.cir"
	printf '%s\n' "$@" '}' >>"$folder/changed.cir"
	expect "$*" "$repaired"
}
alias() { # a type in front
	{ echo "$2"; cat "$file"; } >"$folder/changed.cir"
	expect "$2" "$1"
}
body() { # IS-REPAIRED OP… of a function
	repaired=$1
	shift
	line "$repaired" 'cir.func @old(%a: !s32i, %b: !s32i) {' "$@" 'cir.return' '}'
}

# Proofs
attribute yes 'cir.sob = #cir.signed_overflow_behavior<undefined>'
attribute yes 'cir.type_size_info = #cir.type_size_info<char = 8, int = 32, size_t = 64>'
attribute yes 'cir.module_asm = []'
alias yes '!old = !cir.struct<struct "S" {!cir.int<s, 32>}>'
alias yes '!old = !cir.record<struct "S" {!cir.int<s, 32>}>'
alias yes '!old = !cir.struct<"S" {!cir.int<s, 32>} #cir.record.decl.ast>'
line yes 'cir.func private @old() #cir.function.decl.ast'
body yes '%c = cir.cast(integral, %a : !s32i), !s64i'
body yes '%c = cir.binop(add, %a, %b) : !s32i'
body yes '%c = cir.unary(inc, %a) : !s32i, !s32i'

# What anybody may write
attribute no 'llvm.target_triple = "x86_64-unknown-linux-gnu"'
attribute no 'cir.triple = "x86_64-unknown-linux-gnu", cir.lang = #cir.lang<cxx>, cir.uwtable = #cir.uwtable<async>'
attribute no 'cir.module_asm = [".globl x"]'
line no 'cir.func private @old(i32)'
line no 'cir.global external @old = 3 : !s32i'
line no 'cir.global "private" external @old : !cir.array<!u8i x 3> {alignment = 4 : i64}'
line no 'cir.linker_options ["a"]'
alias no '!old = !cir.struct<"S" {!cir.int<s, 32>}>'
body no '%c = cir.const 1 : !s32i'
body no '%c = cir.const(#cir.int<1> : !s32i) : !s32i'
# What the design document and the newest grammar have
body no '%c = cir.cmp(eq, %a, %b) : !s32i, !cir.bool'
body no '%c = cir.alloca !s32i, !cir.ptr<!s32i>, ["x"] {alignment = 4 : i64}'
body no 'cir.call exception @one() : () -> ()'
body no 'cir.try {' 'cir.call @one() : () -> ()' 'cir.yield' '} catch all {' 'cir.yield' '}'
body no '%c = cir.cast integral %a : !s32i -> !s64i'
# What no clang can have printed: spellings of two times
body no '%c = cir.binop(add, %a, %b) : !s32i' '%x = cir.alloca "x" align(4) : !cir.ptr<!s32i>'
body no '%c = cir.cast(integral, %a : !s32i), !s64i' '%x = cir.cmp eq %a, %b : !s32i'
line no '!new = !cir.struct<"N" {data !s32i}>' 'cir.func private @old(!cir.ptr<!cir.struct<struct "Older" {!s32i}>>)'
line no 'cir.func private @old(!cir.ptr<!cir.struct<struct "S" {!s32i}>>)' 'cir.func private @older(!cir.ptr<!cir.record<struct "R" {!s32i}>>) #cir.function.decl.ast' 'cir.func @new(%a: !s32i) {' '%c = cir.cmp eq %a, %a : !s32i' 'cir.return' '}'
exit $failed
