/* eh/catch_init.h: cir.init_catch_param, which fills the variable of a handler (cir-reference
 * 5.10). Its operand is what begin_catch gives on every ABI, so that this is the same everywhere.
 * Errors are reported and clear Runtime.ok. */
#ifndef CIRC_EH_CATCH_INIT_H
#define CIRC_EH_CATCH_INIT_H

#include "eh/runtime.h"

/* Builds what stands for `op` in front of it; op itself stays. */
void catch_init_lower(Runtime *r, IrOp *op);

/* Stores a pointer into the slot of a parameter that is caught by pointer or reference.
 * op: to be named in errors. */
void catch_init_store(Runtime *r, IrBuilder *b, const IrOp *op, IrValue *object, IrValue *slot);

/* Erases the inits that leave everything to a construct_catch_param. */
void catch_init_drop_references(IrOp *begin_catch);

#endif
