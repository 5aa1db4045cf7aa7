/* eh/microsoft/dynamic_stack.h: functions that allocate on the stack what is of variable size, and have
 * handlers that may throw, become two.
 *
 *   needs    flat CIR and its plan, whose function has such an alloca
 *   gives    the function up to its last alloca of that kind, then a call of a new one that is
 *            made of the rest, with the handlers
 *   changes  the function, and the plan is void; adds a function at the end of the module
 *   cost     ops
 *   errors   false: reported (an alloca behind a branch; what belongs to the frame of the function)
 *
 * LLVM 19 and 22 move the stack pointer around each call of a function with a dynamic alloca, and do not tell
 * the unwind data of its funclets, which are relative to the stack pointer: an exception that is thrown
 * through a handler gets lost (llvm-project issue 60914). A cleanup lets none through.
 */
#ifndef CIRC_EH_MICROSOFT_DYNAMIC_STACK_H
#define CIRC_EH_MICROSOFT_DYNAMIC_STACK_H

#include "eh/microsoft/funclet_plan.h"

/* The first op that may throw out of a handler while the function has a dynamic alloca; NULL: none. */
const IrOp *dynamic_stack_throw(const FuncletPlan *p);

/* None may stand in a handler: LLVM ends funclets with the stack pointer that they began with, and so does not find who called them. */
bool dynamic_stack_check(const FuncletPlan *p, Diags *d);

bool dynamic_stack_split(IrModule *m, IrOp *func, const IrOp *thrower, Arena *mem, Diags *d);

/* Keeps LLVM from putting the allocas of a function that has any into one with handlers. */
void dynamic_stack_keep_apart(IrModule *m, IrOp *func);

#endif
