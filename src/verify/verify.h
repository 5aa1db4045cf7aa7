/* verify/verify.h: is a module well formed, and does every op belong to the stage? (design.md section 2; rules
 * per op in cir-reference section 5; funclet rules in style.md 4.3)
 *
 * Errors   false: at least one error was reported, each at the op it is about. At most
 *          DIAG_LIMIT are delivered.
 * Changes  nothing.
 * Leaves   unreachable blocks to the passes, which drop them: dominance and the rules
 *          about paths do not hold there.
 * Cost     ops + edges + uses; an explicit stack for regions.
 */
#ifndef CIRC_VERIFY_VERIFY_H
#define CIRC_VERIFY_VERIFY_H

#include "ir/module.h"

bool ir_verify(IrModule *m, Stage stage, Diags *d);

#endif
