/* explain/loaded.h: the explanation of an ELF object that was linked into this process: addresses are those in memory. */
#ifndef CIRC_EXPLAIN_LOADED_H
#define CIRC_EXPLAIN_LOADED_H

#include "base/diag.h"
#include "explain/explanation.h"

/* Where a global symbol of the object is; 0: nowhere, it was left out. */
typedef uint64_t ExplainFind(const char *symbol, void *user);

/* The FDE of a function in this process; NULL: it has none. */
typedef const void *ExplainEntry(uint64_t function, void *user);

typedef struct ExplainLoaded {
	const char *name; /* for messages */
	Str object;       /* as it was before linking */
	ExplainFind *find;
	ExplainEntry *entry;
	void *user;
} ExplainLoaded;

/* As explain_elf(). A section is found by one of its global symbols: the linker moves whole sections. Functions of sections
 * without one are left out: nobody else can call them either. */
bool explain_loaded(CircExplanation *e, const ExplainLoaded *in, Diags *d);

/* Where the language-specific data of a function are, by its FDE in this process; 0: it has none. */
uint64_t explain_loaded_table(const void *fde);

#endif
