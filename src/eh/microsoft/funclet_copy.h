/* eh/microsoft/funclet_copy.h: blocks that several pads own are copied, so that each has its own: with everything they
 * lead to, unwind paths included, since that is owned in common too.
 *
 *   needs    a plan with shared blocks; the function is still flat CIR
 *   changes  the function; the plan is void afterwards and must be made anew
 *   cost     ops copied
 *   errors   false, and plan->failed: reported (a label that would be there twice, …)
 */
#ifndef CIRC_EH_MICROSOFT_FUNCLET_COPY_H
#define CIRC_EH_MICROSOFT_FUNCLET_COPY_H

#include "eh/microsoft/funclet_plan.h"

bool funclet_copy_shared(IrModule *m, FuncletPlan *plan);

#endif
