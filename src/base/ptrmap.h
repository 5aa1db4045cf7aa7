/* base/ptrmap.h: a map from pointers to pointers, in an arena. Keys are not NULL. */
#ifndef CIRC_BASE_PTRMAP_H
#define CIRC_BASE_PTRMAP_H

#include "base/arena.h"

typedef struct PtrMap {
	const void **keys;
	void **values;
	uint32_t cap, len; /* cap: 0 or a power of two */
} PtrMap;

void ptrmap_put(Arena *a, PtrMap *map, const void *key, void *value);
void *ptrmap_get(const PtrMap *map, const void *key); /* NULL when absent */

#endif
