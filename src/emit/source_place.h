/* emit/source_place.h: places that the lowering wrote down in an LLVM module (lower/source_place.c), for errors
 * that are found when the CIR is gone.
 *
 * 	!{i64 number, !"file", i32 line, i32 column, i32 offset + 1}
 *
 * A call of assembly has one as !srcloc, which LLVM gives to its messages; of an intrinsic as !circ.place,
 * and the module has `circ.intrinsics` then; of a function that forbids it (emit/llvm_gaps/dontcall.h) as
 * !circ.place, too; a function that asks for another CPU than the last one that asks for any as !circ.machine; each
 * function for Windows as !circ.function (emit/llvm_gaps/libcalls.h, which notes names as `circ.own.NAME`);
 * `circ.module_asm` is that of the module's own assembly; `circ.high_bytes` has one of assembly that names ah, bh,
 * ch or dh (emit/llvm_gaps/high_byte.h).
 */
#ifndef CIRC_EMIT_SOURCE_PLACE_H
#define CIRC_EMIT_SOURCE_PLACE_H

#include "base/diag.h"

#include <llvm-c/Types.h>

#define PLACE_KIND       "circ.place"
#define PLACE_MACHINE    "circ.machine"
#define PLACE_FUNCTION   "circ.function"
#define PLACE_OWN        "circ.own."
#define PLACE_INTRINSICS "circ.intrinsics"
#define PLACE_MODULE_ASM "circ.module_asm"
#define PLACE_HIGH_BYTES "circ.high_bytes"

typedef struct Place {
	uint64_t number; /* from 1; 0: none */
	uint32_t pos;    /* as Loc.pos, where the text is still there */
	LocInfo info;    /* borrows the file's name from the module */
} Place;

/* node NULL, or of another shape: nowhere. */
Place place_of(const Diags *d, LLVMValueRef node);
/* Of the node of that kind which the function has. */
Place place_of_function(const Diags *d, LLVMValueRef function, unsigned kind);

#endif
