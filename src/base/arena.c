#include "base/arena.h"

#include "base/fault.h"
#include "base/large_pages.h"
#include "base/poison.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_CHUNK = 1 << 14, LARGEST_CHUNK = 1 << 22 }; /* bytes, with what stands beside the data */

struct ArenaChunk {
	ArenaChunk *older;
	size_t size; /* of data */
	_Alignas(16) char data[];
};

void arena_init(Arena *a)
{
	*a = (Arena){0};
}

void arena_free(Arena *a)
{
	while (a->chunk) {
		ArenaChunk *c = a->chunk;
		a->chunk = c->older;
		BASE_UNPOISON(c->data, c->size);
		free(c);
	}
	*a = (Arena){.oom = a->oom};
}

void arena_exhausted(Arena *a)
{
	if (a->oom)
		longjmp(a->oom->env, 1);
	fputs("circ: out of memory\n", stderr);
	abort();
}

static void arena_grow(Arena *a, size_t need)
{
	enum { BESIDE = sizeof(ArenaChunk) + MALLOC_ROOM };
	size_t size = a->chunk ? (a->chunk->size + BESIDE) * 2 - BESIDE : FIRST_CHUNK - BESIDE;
	if (size > LARGEST_CHUNK - BESIDE)
		size = LARGEST_CHUNK - BESIDE;
	if (size < need)
		size = need;
	uint64_t begun = large_pages_time();
	ArenaChunk *c = size > SIZE_MAX - sizeof *c ? NULL : malloc(sizeof *c + size);
	if (!c)
		arena_exhausted(a);
	large_pages(c, sizeof *c + size, begun);
	c->older = a->chunk;
	c->size = size;
	a->chunk = c;
	a->cur = a->end = c->data;
	a->reserved += size;
	BASE_POISON(c->data, size);
}

/* Room for `need` bytes, in the newest chunk or a new one. */
static void make_room(Arena *a, size_t need)
{
	if (!a->chunk || (size_t)(a->chunk->data + a->chunk->size - a->cur) < need)
		arena_grow(a, need);
	a->end = pages_ahead(a->chunk->data, a->cur, a->chunk->data + a->chunk->size, need);
}

void *arena_alloc_slowly(Arena *a, size_t size, size_t align)
{
	if (fault_strikes())
		arena_exhausted(a);
	size_t pad = (size_t)(-(uintptr_t)a->cur) & (align - 1);
	if ((size_t)(a->end - a->cur) < pad + BASE_REDZONE ||
	    (size_t)(a->end - a->cur) - pad - BASE_REDZONE < size) {
		if (size > SIZE_MAX / 2)
			arena_exhausted(a);
		make_room(a, size + align + BASE_REDZONE);
		pad = (size_t)(-(uintptr_t)a->cur) & (align - 1);
	}
	char *p = a->cur + pad;
	a->cur = p + size + BASE_REDZONE;
	if (FAULTS) /* the next one comes here, too */
		a->end = a->cur;
	BASE_UNPOISON(p, size);
	return p;
}

void *arena_alloc(Arena *a, size_t size, size_t align)
{
	return memset(arena_alloc_raw(a, size, align), 0, size);
}

static size_t product(Arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / 2 / size)
		arena_exhausted(a);
	return n * size;
}

void *arena_alloc_n(Arena *a, size_t n, size_t size, size_t align)
{
	return arena_alloc(a, product(a, n, size), align);
}

void *arena_copy_n(Arena *a, const void *data, size_t n, size_t size)
{
	if (!data || !n)
		return NULL;
	size_t bytes = product(a, n, size);
	return memcpy(arena_alloc_raw(a, bytes, 8), data, bytes);
}

char *arena_copy(Arena *a, const void *data, size_t len)
{
	char *p = arena_alloc_raw(a, len + 1, 1);
	if (len)
		memcpy(p, data, len);
	p[len] = '\0';
	return p;
}

char *arena_printf(Arena *a, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	CHECK(n >= 0);
	char *p = arena_alloc(a, (size_t)n + 1, 1);
	vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return p;
}

ArenaMark arena_mark(Arena *a)
{
	return (ArenaMark){a->chunk, a->cur};
}

void arena_release(Arena *a, ArenaMark mark)
{
	bool same_chunk = a->chunk == mark.chunk;
	while (a->chunk != mark.chunk) {
		ArenaChunk *c = a->chunk;
		a->chunk = c->older;
		a->reserved -= c->size;
		BASE_UNPOISON(c->data, c->size);
		free(c);
	}
	a->cur = mark.cur;
	if (!same_chunk)
		a->end = a->chunk ? a->chunk->data + a->chunk->size : NULL;
	if (FAULTS) /* the next one asks, too */
		a->end = a->cur;
	if (a->chunk)
		BASE_POISON(a->cur, (size_t)(a->chunk->data + a->chunk->size - a->cur));
}
