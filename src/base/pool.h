/* base/pool.h: memory for objects of which many may go before the others.
 *
 * Ownership  everything allocated lives until pool_drop() of it or pool_free(). Memory is taken
 *            from the system in blocks, and a block goes back when all its objects were dropped:
 *            good for what comes and goes together.
 * Errors     allocation never returns NULL; exhaustion is that of `arena` (base/arena.h).
 * Threads    a pool belongs to one thread at a time.
 */
#ifndef CIRC_BASE_POOL_H
#define CIRC_BASE_POOL_H

#include "base/arena.h"

typedef struct PoolBlock PoolBlock;

typedef struct Pool {
	PoolBlock *blocks;  /* newest first */
	char *cur, *end;    /* end: of what is ready for use in `current` */
	PoolBlock *current; /* the newest ordinary block */
	Arena *arena;       /* whose guard is told of exhaustion */
	void *owner;
} Pool;

void pool_init(Pool *p, Arena *arena, void *owner); /* the pool must not move afterwards */
void pool_free(Pool *p);

/* n * size is checked; the bytes are zero and aligned to 8. */
void *pool_alloc(Pool *p, size_t n, size_t size);
/* The same, with bytes of any value: for what is filled at once. */
void *pool_alloc_raw(Pool *p, size_t n, size_t size);
/* Gives one object back; NULL is nothing. It must not be used any more. */
void pool_drop(void *object);
/* The owner of the pool that an object is in. */
void *pool_owner(const void *object);

#define pool_new(p, T)          ((T *)memset(pool_alloc_raw((p), 1, sizeof(T)), 0, sizeof(T)))
#define pool_array(p, T, n)     ((T *)pool_alloc((p), (n), sizeof(T)))
#define pool_array_raw(p, T, n) ((T *)pool_alloc_raw((p), (n), sizeof(T)))

#endif
