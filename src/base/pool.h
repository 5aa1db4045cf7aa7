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
typedef struct Pool Pool;

enum { POOL_SLOTS = 64 };

struct PoolBlock {
	Pool *pool;
	PoolBlock *newer, *older, *same_slot;
	size_t size; /* of data */
	size_t live; /* objects */
	_Alignas(8) char data[];
};

struct Pool {
	PoolBlock *blocks;            /* newest first */
	PoolBlock *slots[POOL_SLOTS]; /* the same by address, for pool_holds() */
	uint32_t nlarge;              /* that are larger than others */
	char *cur, *end;              /* end: of what is ready for use in `current` */
	PoolBlock *current;           /* the newest ordinary block */
	Arena *arena;                 /* whose guard is told of exhaustion */
	void *owner;
};

void pool_init(Pool *p, Arena *arena, void *owner); /* the pool must not move afterwards */
void pool_free(Pool *p);

/* n * size is checked; the bytes are zero and aligned to 8. */
void *pool_alloc(Pool *p, size_t n, size_t size);
/* The same, with bytes of any value: for what is filled at once. */
static inline void *pool_alloc_raw(Pool *p, size_t n, size_t size);
void pool_give_back(void *object);
/* Gives one object back; NULL is nothing. It must not be used any more. */
static inline void pool_drop(void *object)
{
	if (object)
		pool_give_back(object);
}
/* One block goes back to the system when all does, and not before. */
static inline bool pool_has_many_blocks(const Pool *p)
{
	return p->blocks && p->blocks->older;
}
/* May it be read as an object of the pool? Not if its block went back, nor, under AddressSanitizer, if it was
 * dropped. Any address may be asked for. */
bool pool_holds(const Pool *p, const void *at);
/* The owner of the pool that an object is in. */
void *pool_owner(const void *object);

void *pool_alloc_slowly(Pool *p, size_t n, size_t size); /* where no room is ready, or all is watched */

static inline void *pool_alloc_raw(Pool *p, size_t n, size_t size)
{
	enum { FEW = 1 << 16 }; /* so that the product fits */
	size_t bytes = (n * size + 7) & ~(size_t)7;
	if (BASE_REDZONE > 0 || n > FEW || size > FEW || bytes >= (size_t)(p->end - p->cur))
		return pool_alloc_slowly(p, n, size);
	char *at = p->cur;
	p->cur += bytes;
	p->current->live++;
	return at;
}

#define pool_new(p, T)          ((T *)memset(pool_alloc_raw((p), 1, sizeof(T)), 0, sizeof(T)))
#define pool_array(p, T, n)     ((T *)pool_alloc((p), (n), sizeof(T)))
#define pool_array_raw(p, T, n) ((T *)pool_alloc_raw((p), (n), sizeof(T)))

#endif
