/* base/name.h: interned strings. Equal strings in one table are the same pointer.
 *
 * Ownership  names live in the arena given to names_init().
 * Threads    a table belongs to one thread at a time.
 */
#ifndef CIRC_BASE_NAME_H
#define CIRC_BASE_NAME_H

#include "base/arena.h"
#include "base/hash.h"

typedef struct Name {
	uint32_t len;
	uint32_t id;  /* dense, from 0, in order of first appearance */
	void *symbol; /* the module-level op of this name, or NULL; kept by ir/module */
	/* that are this name and nothing else, or NULL; kept by ir/attr */
	const struct CircAttr *symbol_attr, *string_attr;
	char text[]; /* NUL terminated; may also hold NUL bytes */
} Name;

typedef struct NameSlot {
	Name *name; /* or NULL */
	uint32_t hash;
} NameSlot;

typedef struct NameTable {
	Arena *arena;
	NameSlot *slots; /* open addressing; size is a power of two */
	uint32_t cap, len;
	HashKey key; /* also for other tables of what owns this one */
} NameTable;

void names_init(NameTable *t, Arena *arena);
Name *name_intern(NameTable *t, Str s);
Name *name_find(const NameTable *t, Str s); /* NULL if never interned */

static inline Str name_str(const Name *n)
{
	return (Str){n->text, n->len};
}

int name_compare(const Name *a, const Name *b); /* by their bytes, as MLIR sorts: 0 for one and the same */

#endif
