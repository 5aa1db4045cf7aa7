/* explain/throw.h: one exception through an explanation. */
#ifndef CIRC_EXPLAIN_THROW_H
#define CIRC_EXPLAIN_THROW_H

#include "explain/explanation.h"

/* circ_explanation_throw(); memory that runs out goes to the arena's guard. */
const CircThrowPath *explanation_throw(CircExplanation *e, const char *type, const char *at,
                                       const char **error);

void explanation_write_throw_text(const CircExplanation *e, const CircThrowPath *path, Sink *s);
void explanation_write_throw_json(const CircExplanation *e, const CircThrowPath *path, Sink *s);

#endif
