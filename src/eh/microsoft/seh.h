/* eh/microsoft/seh.h: handlers of circ's runtime, in the shape that the tables of __C_specific_handler have.
 *
 * Those tables know filters, not types, and go on behind __except, in the function itself: no handler is a funclet. So each
 * clause of a dispatch becomes a dispatch of its own, whose type is a function that asks circ_seh_match(), and whose handler ends at once.
 * The code that the front end has written into the handler follows it, with calls of circ's runtime for its beginning and ends.
 *
 *   needs    a function of flat CIR in which outline.c has left no handler in a cleanup
 *   gives    the same, which funclet_prepare.c must see once more; a catch names a filter function in place of a type
 *   changes  the function; adds filter functions at the end of the module
 *   cost     ops
 *   errors   false: reported (code that runs both while an exception is in flight and while none is)
 */
#ifndef CIRC_EH_MICROSOFT_SEH_H
#define CIRC_EH_MICROSOFT_SEH_H

#include "eh/cxa.h"

/* The system tells the runtime which exception took the place of which: no code does. Before outline.c. */
void seh_erase_drops(IrOp *func);

bool seh_lower(Cxa *circ, IrOp *func, Arena *mem);

#endif
