/* base/pool.c: blocks are aligned to their size, so that an object's address tells its block. A large object
 * has a block of its own and starts within its first BLOCK_SIZE bytes, like any other. */
#include "base/pool.h"

#include "base/fault.h"
#include "base/large_pages.h"
#include "base/poison.h"

#include <stdlib.h>

enum {
	/* A large page; less where each block's shadow is written, too, at every module that begins. */
	BLOCK_SIZE = BASE_REDZONE ? 1 << 15 : 1 << 21,
	BLOCK_USED = BLOCK_SIZE - MALLOC_ROOM,
	LARGE = BLOCK_SIZE / 4,
};

void pool_init(Pool *p, Arena *arena, void *owner)
{
	*p = (Pool){.arena = arena, .owner = owner};
}

static size_t slot_of(const PoolBlock *b)
{
	return (uintptr_t)b / BLOCK_SIZE % POOL_SLOTS;
}

static void block_free(PoolBlock *b)
{
	PoolBlock **slot = &b->pool->slots[slot_of(b)];
	while (*slot != b)
		slot = &(*slot)->same_slot;
	*slot = b->same_slot;
	b->pool->nlarge -= b->size > BLOCK_SIZE;
	if (b->newer)
		b->newer->older = b->older;
	else
		b->pool->blocks = b->older;
	if (b->older)
		b->older->newer = b->newer;
	BASE_UNPOISON(b->data, b->size);
	free(b);
}

void pool_free(Pool *p)
{
	while (p->blocks)
		block_free(p->blocks);
	p->current = NULL;
	p->cur = p->end = NULL;
}

static PoolBlock *block_new(Pool *p, size_t total)
{
	void *memory;
	uint64_t begun = large_pages_time();
	if (posix_memalign(&memory, BLOCK_SIZE, total) != 0)
		arena_exhausted(p->arena);
	PoolBlock *b = memory;
	if (p->blocks) /* the first may stay almost empty */
		large_pages(memory, total, begun);
	*b = (PoolBlock){.pool = p, .older = p->blocks, .size = total - sizeof *b};
	if (b->older)
		b->older->newer = b;
	PoolBlock **slot = &p->slots[slot_of(b)];
	b->same_slot = *slot;
	*slot = b;
	p->nlarge += b->size > BLOCK_SIZE;
	BASE_POISON(b->data, b->size);
	return p->blocks = b;
}

/* Under AddressSanitizer the bytes before an object hold its size, for the drop. */
static void *take(PoolBlock *b, char *at, size_t size)
{
	b->live++;
	BASE_UNPOISON(at, size + BASE_REDZONE);
	if (BASE_REDZONE)
		memcpy(at, &size, sizeof size);
	BASE_POISON(at, BASE_REDZONE);
	return at + BASE_REDZONE;
}

static void forget(char *object)
{
	size_t size = 0;
	if (BASE_REDZONE) {
		BASE_UNPOISON(object - BASE_REDZONE, BASE_REDZONE);
		memcpy(&size, object - BASE_REDZONE, sizeof size);
	}
	BASE_POISON(object - BASE_REDZONE, BASE_REDZONE + size);
}

/* Room for `need` bytes, in the current block or a new one. */
static void make_room(Pool *p, size_t need)
{
	if (!p->current || (size_t)(p->current->data + p->current->size - p->cur) < need) {
		p->current = block_new(p, BLOCK_USED);
		p->cur = p->current->data;
	}
	p->end = pages_ahead(p->current->data, p->cur, p->current->data + p->current->size, need);
}

void *pool_alloc_slowly(Pool *p, size_t n, size_t size)
{
	if (fault_strikes() || (size && n > SIZE_MAX / 2 / size))
		arena_exhausted(p->arena);
	size = (n * size + 7) & ~(size_t)7;
	if (size > LARGE) {
		PoolBlock *own = block_new(p, sizeof *own + BASE_REDZONE + size);
		return take(own, own->data, size);
	}
	size_t room = size + BASE_REDZONE;
	if ((size_t)(p->end - p->cur) < room)
		make_room(p, room);
	char *at = p->cur;
	p->cur += room;
	if (FAULTS) /* the next one comes here, too */
		p->end = p->cur;
	return take(p->current, at, size);
}

void *pool_alloc(Pool *p, size_t n, size_t size)
{
	return memset(pool_alloc_raw(p, n, size), 0, n * size);
}

static PoolBlock *block_of(const void *object)
{
	return (PoolBlock *)((uintptr_t)object & ~(uintptr_t)(BLOCK_SIZE - 1));
}

void *pool_owner(const void *object)
{
	return block_of(object)->pool->owner;
}

static bool is_within(const PoolBlock *b, const void *at)
{
	return (uintptr_t)at - (uintptr_t)b->data < b->size;
}

bool pool_holds(const Pool *p, const void *at)
{
	const PoolBlock *of = block_of(at), *b = p->slots[slot_of(of)];
	while (b && b != of)
		b = b->same_slot;
	if (!b && p->nlarge) /* behind the first bytes of a large one? */
		for (b = p->blocks; b && !is_within(b, at);)
			b = b->older;
	return b && is_within(b, at) && !BASE_IS_POISONED(at);
}

void pool_give_back(void *object)
{
	PoolBlock *b = block_of(object);
	CHECK(b->live);
	forget(object);
	if (--b->live == 0 && b != b->pool->current)
		block_free(b);
}
