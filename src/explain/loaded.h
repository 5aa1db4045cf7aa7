/* explain/loaded.h: the explanation of an ELF object that was linked into this process: addresses are those in memory. */
#ifndef CIRC_EXPLAIN_LOADED_H
#define CIRC_EXPLAIN_LOADED_H

#include "base/diag.h"
#include "explain/explanation.h"

/* Where a global symbol of the object is; 0: nowhere, it was left out. */
typedef uint64_t ExplainFind(const char *symbol, void *user);

typedef struct ExplainLoaded {
	const char *name; /* for messages */
	Str object;       /* as it was before linking */
	ExplainFind *find;
	void *user;
} ExplainLoaded;

/* As explain_elf(). A section is found by one of its global symbols: the linker moves whole sections. Functions of sections
 * without one are left out: nobody else can call them either. CircExplainedFunction.table is 0: the unwind information says
 * where that is. */
bool explain_loaded(CircExplanation *e, const ExplainLoaded *in, Diags *d);

#endif
