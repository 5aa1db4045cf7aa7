/* eh/microsoft/funclet_order.h: LLVM writes the code of a funclet in the order of its blocks, and takes the first for where it begins
 * (FuncletLayout). It does not check that this is the pad.
 *
 *   changes  the order of blocks, where one stands before the pad that it is in: all come behind what dominates them then
 */
#ifndef CIRC_EH_MICROSOFT_FUNCLET_ORDER_H
#define CIRC_EH_MICROSOFT_FUNCLET_ORDER_H

#include "ir/module.h"

void funclet_order_blocks(IrModule *m, IrOp *func, Arena *mem);

#endif
