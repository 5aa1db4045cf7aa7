/* base/arena.h: memory with one lifetime.
 *
 * Ownership  everything allocated lives until arena_free() (or arena_release() of an earlier mark); nothing
 *            is freed singly.
 * Errors     allocation never returns NULL. When the system has no memory left, control goes to the arena's
 *            OomGuard with longjmp(); without a guard the process aborts with a message. The library's entry
 *            points set the guard, so an embedder sees a diagnostic, not an abort.
 * Threads    an arena belongs to one thread at a time; there is no shared state.
 */
#ifndef CIRC_BASE_ARENA_H
#define CIRC_BASE_ARENA_H

#include "base/base.h"
#include "base/poison.h"

#include <setjmp.h>

typedef struct OomGuard {
	jmp_buf env;
} OomGuard;

typedef struct ArenaChunk ArenaChunk;

typedef struct Arena {
	ArenaChunk *chunk; /* newest first */
	char *cur, *end;   /* end: of what is ready for use in the newest chunk */
	size_t reserved;   /* bytes obtained from the system */
	OomGuard *oom;
} Arena;

typedef struct ArenaMark {
	ArenaChunk *chunk;
	char *cur;
} ArenaMark;

void arena_init(Arena *a);
void arena_free(Arena *a);

/* align: a power of two, at most 16. The bytes are zero. */
void *arena_alloc(Arena *a, size_t size, size_t align);
/* The same, with bytes of any value: for large buffers that are filled at once. */
static inline void *arena_alloc_raw(Arena *a, size_t size, size_t align);
/* n * size is checked; an overflow counts as memory exhaustion. */
void *arena_alloc_n(Arena *a, size_t n, size_t size, size_t align);
char *arena_copy(Arena *a, const void *data, size_t len);              /* NUL terminated copy */
void *arena_copy_n(Arena *a, const void *data, size_t n, size_t size); /* of an array; NULL for none */
char *arena_printf(Arena *a, const char *fmt, ...) BASE_PRINTF(2, 3);

/* Scratch use: everything allocated after the mark is given back by the release. */
ArenaMark arena_mark(Arena *a);
void arena_release(Arena *a, ArenaMark mark);

BASE_NORETURN void arena_exhausted(Arena *a);

void *arena_alloc_slowly(Arena *a, size_t size, size_t align); /* where no room is ready, or all is watched */

static inline void *arena_alloc_raw(Arena *a, size_t size, size_t align)
{
	size_t pad = (size_t)(-(uintptr_t)a->cur) & (align - 1), room = (size_t)(a->end - a->cur);
	if (BASE_REDZONE > 0 || room < pad || room - pad < size)
		return arena_alloc_slowly(a, size, align);
	char *p = a->cur + pad;
	a->cur = p + size;
	return p;
}

#define arena_new(a, T)      ((T *)memset(arena_alloc_raw((a), sizeof(T), _Alignof(T)), 0, sizeof(T)))
#define arena_array(a, T, n) ((T *)arena_alloc_n((a), (n), sizeof(T), _Alignof(T)))

#endif
