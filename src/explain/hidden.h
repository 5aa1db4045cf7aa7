/* explain/hidden.h: handlers that never get an exception, since an earlier one on the way takes all that they would take
 * (C++20, [except.handle] 5: "if … the handler appears after a handler for a base class"). */
#ifndef CIRC_EXPLAIN_HIDDEN_H
#define CIRC_EXPLAIN_HIDDEN_H

#include "explain/explanation.h"

/* Sets CircStep.is_hidden of all steps. Types have their indices. Cost: steps, and for each handler the bases of its type. */
void explanation_mark_hidden(CircExplanation *e);

#endif
