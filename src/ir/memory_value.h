/* ir/memory_value.h: an SSA value made to pass through memory, for passes that copy or move the code between
 * its definition and its uses. LLVM makes values of it again. */
#ifndef CIRC_IR_MEMORY_VALUE_H
#define CIRC_IR_MEMORY_VALUE_H

#include "ir/module.h"

/* Where a value is known without passing an edge that others use: its block, and for the result of a call
 * that ends its block the block behind, if nothing else leads there. */
bool memory_value_is_home(const IrValue *v, const IrBlock *b);

/* Stores v into a new slot of the entry block where it is defined, and makes those of its uses loads that
 * `moves` tells. A block for the store may be put on the normal edge of a call; it is returned, else NULL. v
 * is no argument of a pad that may hold nothing. */
IrBlock *memory_value_make(IrModule *m, IrOp *func, IrValue *v,
                           bool (*moves)(const IrUse *u, const void *data), const void *data);

#endif
