/* explain/words.h: the words of text and JSON. */
#ifndef CIRC_EXPLAIN_WORDS_H
#define CIRC_EXPLAIN_WORDS_H

#include "circ/explain.h"

const char *explain_step_word(CircStepKind kind);   /* "catch_all" */
const char *explain_end_word(CircEnd end);          /* "leaves" */
const char *explain_table_word(CircTableKind kind); /* "lsda" */

#endif
