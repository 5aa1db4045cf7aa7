/* lower/wasm_catch.h: the Itanium form for WebAssembly (op_eh.c shows it). */
#ifndef CIRC_LOWER_WASM_CATCH_H
#define CIRC_LOWER_WASM_CATCH_H

#include "lower/lowerer.h"

/* Where a call unwinds to that has an edge to a landing pad; fills the results of the pad, but of one that is a cleanup. NULL: reported. */
LLVMBasicBlockRef lower_wasm_unwind_edge(Lower *e, const IrSucc *s);
/* The head of a landing pad. */
void lower_wasm_pad(Lower *e, const IrOp *inflight);
void lower_wasm_resume(Lower *e, const IrOp *op);

/* wasm_cleanup.c: can all code of a pad stay in the catch, and throw its exception again there? The pad's clauses are not asked. */
bool wasm_is_cleanup(const IrBlock *pad);

#endif
