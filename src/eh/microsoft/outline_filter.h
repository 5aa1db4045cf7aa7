/* eh/microsoft/outline_filter.h: filters of a `when` that stands in a cleanup which becomes a function (outline.c).
 *
 * A filter finds variables by the frame of the function that asks it. Where that is the new function, it is given a copy of the
 * filter, and the addresses of the variables in variables of its own:
 *
 * 	cir.func internal @f.when(%r, %frame) {               cir.func internal @f.cleanup.when(%r, %frame) {
 * 	  %x = circ.localrecover @f, %frame [0]                 %p = circ.localrecover @f.cleanup, %frame [0]
 * 	                                                        %x = cir.load %p
 *
 *   cost     ops of the filters
 */
#ifndef CIRC_EH_MICROSOFT_OUTLINE_FILTER_H
#define CIRC_EH_MICROSOFT_OUTLINE_FILTER_H

#include "base/ptrmap.h"
#include "ir/module.h"

/* The function of clause i of a dispatch, if that is a `when`; else NULL. */
IrOp *outline_filter_of(const IrOp *dispatch, uint32_t i);

/* The variable of func that an op in a filter finds; NULL: it is of another function. */
IrValue *outline_filter_variable(const IrOp *recover, const IrOp *func);

/* part: made of code of func. values: value of func → value of part; it has the variables that its filters see. */
void outline_filters(IrModule *m, const IrOp *func, IrOp *part, const PtrMap *values, Arena *mem);

#endif
