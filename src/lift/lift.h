/* lift/lift.h: the Itanium form to flat CIR, the inverse of eh/itanium: what a front end wrote as landing pads, selectors
 * and calls of a runtime becomes tokens, dispatches, catches and cleanups, from which any ABI's form can be made.
 *
 *   needs      a module that passed ir_verify at STAGE_ITANIUM
 *   gives      the same program in flat CIR
 *   errors     false: reported, at the function and the operation. The module may only be destroyed then
 *   cost       blocks + edges, and copies of what several catches share
 */
#ifndef CIRC_LIFT_LIFT_H
#define CIRC_LIFT_LIFT_H

#include "lift/runtime.h"

/* By the table of lift_set_table(), and that of C++. */
bool lift_module(IrModule *m, Diags *d);

/* Of a module that was made for System V, and is compiled for Windows. */
void lift_warn_of_foreign(IrModule *m, Diags *d);
/* The same: functions that read variable arguments take them as System V passes them. */
void lift_keep_variadics(IrModule *m);
bool lift_is_va_start(const IrOp *op);
/* The same, for windows-gnu: what the C++ runtime's functions are called there. */
void lift_name_sizes(IrModule *m);

#endif
