/* explain/merge.h: what an object does not tell, from the module that it was made of. */
#ifndef CIRC_EXPLAIN_MERGE_H
#define CIRC_EXPLAIN_MERGE_H

#include "explain/explanation.h"

/* Names the cleanups of the object's functions by those of the module. Calls are the same where both have as many of a callee
 * in a function, in their order; others stay as they are. Returns for how many calls that succeeded. */
size_t explanation_name_cleanups(CircExplanation *object, const CircExplanation *module);

#endif
