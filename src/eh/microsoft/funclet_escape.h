/* eh/microsoft/funclet_escape.h: values of a handler that code outside of it uses.
 *
 * In flat CIR an exception that leaves a handler goes from the call that throws to where it is handled next,
 * and what the handler defines is known there. In the Microsoft form the catchswitch of the handler unwinds
 * to the same place, without having been in the handler: no value of it dominates that place any more. Such
 * values go through memory, which LLVM undoes where it can.
 *
 *   needs    a plan without shared blocks; the function is still flat CIR
 *   changes  the function; the plan is void afterwards and must be made anew
 *   cost     uses, times the handlers that one stands in
 *   errors   true, and plan->failed: reported (a dispatch has no room to store what it is given)
 */
#ifndef CIRC_EH_MICROSOFT_FUNCLET_ESCAPE_H
#define CIRC_EH_MICROSOFT_FUNCLET_ESCAPE_H

#include "eh/microsoft/funclet_plan.h"

/* True: something was changed, or failed. */
bool funclet_send_out(IrModule *m, FuncletPlan *plan);

#endif
