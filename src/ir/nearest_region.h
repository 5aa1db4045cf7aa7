/* ir/nearest_region.h: the innermost region around an op that something is true of.
 *
 * Ops in deep nests that ask for the same one share the way there: all questions together take time linear in the ops
 * that ask and the regions there are.
 */
#ifndef CIRC_IR_NEAREST_REGION_H
#define CIRC_IR_NEAREST_REGION_H

#include "base/ptrmap.h"
#include "ir/op.h"

typedef bool NearestTest(void *user, const IrRegion *r);

/* One map for each question, empty at first. NULL: there is none up to the symbol. */
const IrRegion *ir_nearest(Arena *a, PtrMap *known, const IrOp *from, NearestTest *is, void *user);

#endif
