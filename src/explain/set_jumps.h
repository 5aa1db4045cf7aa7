#ifndef CIRC_EXPLAIN_SET_JUMPS_H
#define CIRC_EXPLAIN_SET_JUMPS_H

#include "explain/explanation.h"

/* Functions without a table that register their handlers while they run, by setjmp (--eh=sjlj; SJLJ of other compilers): what an exception does there
 * is code. They get CIRC_TABLE_OTHER and no sites, which would say that it leaves them. */
void explanation_mark_set_jumps(CircExplanation *e);

#endif
