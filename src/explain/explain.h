/* explain/explain.h: the readers, one for each kind of input. Each fills an explanation that is empty.
 *
 *   errors   false: reported, nothing could be read. True, and warnings: what could be read is there
 *   memory   the explanation's arena; its guard is the caller's
 */
#ifndef CIRC_EXPLAIN_EXPLAIN_H
#define CIRC_EXPLAIN_EXPLAIN_H

#include "explain/explanation.h"
#include "explain/object/object.h"

/* Recognizes the format and reads its tables. */
bool explain_object(CircExplanation *e, Str bytes, const CircExplainOptions *options, Diags *d);

bool explain_elf(CircExplanation *e, const ObjectFile *o, const CircExplainOptions *options);
bool explain_coff(CircExplanation *e, const ObjectFile *o, const CircExplainOptions *options);

#endif
