/* lower/wasm_catch.h: the Itanium form for WebAssembly (op_eh.c shows it). */
#ifndef CIRC_LOWER_WASM_CATCH_H
#define CIRC_LOWER_WASM_CATCH_H

#include "lower/lowerer.h"

/* Where a call unwinds to that has an edge to a landing pad; fills the results of the pad. NULL: reported. */
LLVMBasicBlockRef lower_wasm_unwind_edge(Lower *e, const IrSucc *s);
void lower_wasm_resume(Lower *e, const IrOp *op);

#endif
