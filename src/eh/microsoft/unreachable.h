/* eh/microsoft/unreachable.h: blocks that nothing leads to. Passes leave them out, since what
 * stands in them need not make sense. */
#ifndef CIRC_EH_MICROSOFT_UNREACHABLE_H
#define CIRC_EH_MICROSOFT_UNREACHABLE_H

#include "ir/module.h"

/* Erases them. Of one whose label may have its address taken, the label stays, and cir.unreachable. */
void unreachable_drop(IrModule *m, IrOp *func, Arena *mem);

#endif
