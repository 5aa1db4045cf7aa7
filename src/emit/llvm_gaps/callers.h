/* emit/llvm_gaps/callers.h: which functions of some code for Windows name a symbol that is looked for.
 *
 * The code is what LLVM just made: nothing in it is written down twice, and nothing is checked beyond what keeps
 * reading inside it.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_CALLERS_H
#define CIRC_EMIT_LLVM_GAPS_CALLERS_H

#include "base/base.h"

typedef struct Callers {
	bool (*wanted)(void *user, Str symbol);
	bool (*is_function)(void *user, Str symbol);         /* a label may be that of a part of one, too */
	void (*found)(void *user, Str symbol, Str function); /* function: empty where it has no name */
	void *user;
} Callers;

/* Once for each pair that follows another one. */
void callers_in_object(Str coff, const Callers *c);
void callers_in_assembly(Str text, const Callers *c);

#endif
