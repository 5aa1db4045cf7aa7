#include "base/vec.h"

#include <stdarg.h>
#include <stdio.h>

/* The layout every VEC(T) shares. */
typedef struct AnyVec {
	void *data;
	uint32_t len, cap;
} AnyVec;

void vec_grow(Arena *a, void *vec, size_t elem_size, uint32_t need)
{
	AnyVec v;
	memcpy(&v, vec, sizeof v);
	if (need < v.len) /* the 32-bit length would wrap */
		arena_exhausted(a);
	uint32_t cap = v.cap < 4 ? 8 : v.cap > UINT32_MAX / 2 ? UINT32_MAX : v.cap * 2;
	if (cap < need)
		cap = need;
	if (cap > SIZE_MAX / 2 / elem_size)
		arena_exhausted(a);
	void *data = arena_alloc_raw(a, cap * elem_size, 16);
	if (v.len)
		memcpy(data, v.data, v.len * elem_size);
	v.data = data;
	v.cap = cap;
	memcpy(vec, &v, sizeof v);
}

void buf_put(Arena *a, StrBuf *b, Str s)
{
	if (s.len > UINT32_MAX - b->len)
		arena_exhausted(a);
	vec_reserve(a, b, b->len + (uint32_t)s.len); /* vec_grow at least doubles */
	if (s.len)
		memcpy(b->data + b->len, s.data, s.len);
	b->len += (uint32_t)s.len;
}

void buf_printf(Arena *a, StrBuf *b, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	CHECK(n >= 0);
	vec_reserve(a, b, b->len + (uint32_t)n + 1);
	vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
	va_end(again);
	b->len += (uint32_t)n;
}
