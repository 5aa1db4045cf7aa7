/* ir/clone.h: copies of regions.
 *
 * Values and blocks defined inside the region are those of the copy; what is used from outside stays. An explicit stack:
 * nesting costs no C stack. Cost: ops and operands copied.
 */
#ifndef CIRC_IR_CLONE_H
#define CIRC_IR_CLONE_H

#include "ir/module.h"

/* dst: empty. scratch: for the tables of the copy. Returns the number of ops copied. */
uint32_t ir_region_clone(IrModule *m, const IrRegion *src, IrRegion *dst, Arena *scratch);

#endif
