/* ir/clone.h: copies of ops and regions.
 *
 * Values and blocks defined inside a region are those of the copy; what is used from outside stays. An
 * explicit stack: nesting costs no C stack. Cost: ops and operands copied.
 */
#ifndef CIRC_IR_CLONE_H
#define CIRC_IR_CLONE_H

#include "base/ptrmap.h"
#include "ir/module.h"

/* At the end of `to`, with empty regions. The operands are the original's, and so are the successors that
 * `blocks` does not lead elsewhere (NULL: all). */
IrOp *ir_op_clone(IrModule *m, const IrOp *op, const PtrMap *blocks, IrBlock *to);
/* A block behind b with its arguments and ops; successors stay. Operands that `own`, or else `before` (may be NULL), leads elsewhere
 * are what that says. `own` gets the values of b, each with that of the copy; mem is for the table. */
IrBlock *ir_block_clone(IrModule *m, Arena *mem, IrBlock *b, PtrMap *own, const PtrMap *before);

/* dst: empty. scratch: for the tables of the copy. Returns the number of ops copied. */
uint32_t ir_region_clone(IrModule *m, const IrRegion *src, IrRegion *dst, Arena *scratch);

#endif
