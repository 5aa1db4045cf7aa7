/* base/suggest.h: which word was probably meant. */
#ifndef CIRC_BASE_SUGGEST_H
#define CIRC_BASE_SUGGEST_H

#include "base/base.h"

typedef struct Suggestion {
	Str word;
	const char *best; /* of the words tried so far; NULL: none is near */
	unsigned distance;
} Suggestion;

Suggestion suggest_begin(Str word);
void suggest_try(Suggestion *s, const char *candidate);

#endif
