/* base/vec.h: growable arrays inside an arena.
 *
 *	VEC(IrOp *) ops = {0};
 *	vec_push(arena, &ops, op);
 *	for (uint32_t i = 0; i < ops.len; i++) use(ops.data[i]);
 *
 * The old storage stays in the arena when a vector grows; the waste is at most the final size.
 */
#ifndef CIRC_BASE_VEC_H
#define CIRC_BASE_VEC_H

#include "base/arena.h"

#define VEC(T)                                                                                               \
	struct {                                                                                             \
		T *data;                                                                                     \
		uint32_t len, cap;                                                                           \
	}

void vec_grow(Arena *a, void *vec, size_t elem_size, uint32_t need);

#define vec_reserve(a, v, n) ((v)->cap < (n) ? vec_grow((a), (v), sizeof *(v)->data, (n)) : (void)0)
#define vec_push(a, v, x)                                                                                    \
	((v)->len == (v)->cap ? vec_grow((a), (v), sizeof *(v)->data, (v)->len + 1) : (void)0,               \
	 (void)((v)->data[(v)->len++] = (x)))
#define vec_pop(v) ((v)->data[--(v)->len])

/* Bytes being written: the output of the printer and of diagnostics. */
typedef VEC(char) StrBuf;

void buf_put(Arena *a, StrBuf *b, Str s);
void buf_printf(Arena *a, StrBuf *b, const char *fmt, ...) BASE_PRINTF(3, 4);

static inline void buf_char(Arena *a, StrBuf *b, char c)
{
	vec_push(a, b, c);
}

#endif
