/* ir/debug_scope.h: the blocks of the source that ops stand in, by which debuggers tell
 * variables of one name apart.
 *
 * A scope is a region of an op marked OPF_BLOCK. Every op names its innermost one in its
 * Loc, which goes wherever the op goes: flat code, copies of cleanups and functions made of
 * them still know. Printed text does not.
 */
#ifndef CIRC_IR_DEBUG_SCOPE_H
#define CIRC_IR_DEBUG_SCOPE_H

#include "ir/module.h"

/* A deeper one is part of the one around it: LLVM recurses on their nesting. */
enum { SCOPE_DEPTH_MAX = 256 };

typedef struct IrScope {
	uint32_t parent; /* as Loc.scope */
	uint32_t depth;  /* from 1 */
	bool
	    unwinding; /* a copy, of what another scope holds for the ordinary ways out, that exceptions pass */
	Loc loc;
} IrScope;

/* Of a Loc.scope that is not 0. */
static inline const IrScope *ir_scope(const IrModule *m, uint32_t scope)
{
	CHECK(scope - 1 < m->scopes.len);
	return &m->scopes.data[scope - 1];
}

/* Gives every op in the body of a structured function its scope. */
void ir_func_find_scopes(IrModule *m, IrOp *func);
/* The same in copy, a `cir.scope` of code that stands elsewhere, too, and is there reached without an exception. */
void ir_copy_find_scopes(IrModule *m, IrOp *copy);

#endif
