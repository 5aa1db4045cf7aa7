/* jit/symbols.h: names and what is known of each; POSIX's search trees with counts.
 * Everything is malloc'ed. */
#ifndef CIRC_JIT_SYMBOLS_H
#define CIRC_JIT_SYMBOLS_H

#include "base/base.h"

typedef struct JitSymbol {
	char *name;
	void *address;           /* of a symbol of outside */
	uint32_t count;          /* how often it was got and not released */
	uint32_t users;          /* modules that refer to it, or whose own weak definition gave way to it */
	bool strong;             /* not all definitions are weak */
	struct JitModule *owner; /* of a module's symbol: whose definition counts; NULL: it is gone */
	size_t definition;       /* which one of the owner's */
} JitSymbol;

typedef struct JitSymbols {
	void *root;
} JitSymbols;

/* The entry, a new one if need be; counted. NULL: no memory. */
JitSymbol *jit_symbols_get(JitSymbols *s, const char *name);
JitSymbol *jit_symbols_find(const JitSymbols *s, const char *name); /* or NULL */
/* The last one takes the entry out. */
void jit_symbols_release(JitSymbols *s, const char *name);
void jit_symbols_free(JitSymbols *s);

#endif
