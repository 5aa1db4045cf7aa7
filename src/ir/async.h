/* ir/async.h: which ops of a `cir.try async` raise an exception where they fault.
 *
 * The verifier refuses what accesses memory in another way, flattening (flatten/async.c) gives the rest edges.
 */
#ifndef CIRC_IR_ASYNC_H
#define CIRC_IR_ASYNC_H

#include "ir/nearest_region.h"
#include "ir/type.h"

typedef enum AsyncKind {
	ASYNC_NONE,    /* does not fault, or is code of somebody else: a call, inline assembly */
	ASYNC_RAISES,  /* may fault, which is an exception */
	ASYNC_REFUSED, /* may fault, and has no form that raises */
} AsyncKind;

/* Of an op in the body of a `cir.try async`. */
AsyncKind ir_async_kind(const IrOp *op);

/* Does it stand in such a body, and in no filter there? known: one map for a function, empty at first. */
bool ir_is_async(Arena *a, PtrMap *known, const IrOp *op);

/* Can circ.try_load and circ.try_store move it: is it an integer or a pointer of 8, 16, 32 or 64 bits? */
bool ir_async_is_register(const IrType *t);

/* The bytes that a load or store of it accesses. */
uint64_t ir_async_size(IrType *t);

#endif
