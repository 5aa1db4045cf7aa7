/* base/suggest.h: which word was probably meant. */
#ifndef CIRC_BASE_SUGGEST_H
#define CIRC_BASE_SUGGEST_H

#include "base/base.h"

typedef struct Suggestion {
	Str word;
	Str best; /* of the words tried so far; empty: none is near */
	unsigned rank;
	unsigned most; /* slips */
} Suggestion;

/* One slip in three letters is still recognised; who wants less sets `most`. */
Suggestion suggest_begin(Str word);
/* Of words as near as each other: one that begins alike, then one of which letters were left out, then one whose letters
 * changed places; of equals the first. The candidate is borrowed. */
void suggest_try(Suggestion *s, Str candidate);

#endif
