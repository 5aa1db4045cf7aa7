/* explain/catching.h: does a handler take an exception of a type? */
#ifndef CIRC_EXPLAIN_CATCHING_H
#define CIRC_EXPLAIN_CATCHING_H

#include "explain/explanation.h"

typedef struct Catching {
	CircTaken *takes; /* by the index of the handler's type */
} Catching;

/* NULL: nothing here names it. "T *" is "T*". */
const CircExplainedType *catching_find(const CircExplanation *e, Str name);

Catching catching_of(CircExplanation *e, const char *type);
CircTaken catching_takes(const Catching *c, const CircStep *step);

#endif
