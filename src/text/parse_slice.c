#include "text/parser.h"

Slice *slice_find(const SliceTable *t, const char *at, uint32_t len, uint32_t hash)
{
	if (!t->cap)
		return NULL;
	for (uint32_t i = hash & (t->cap - 1); t->slots[i].at; i = (i + 1) & (t->cap - 1)) {
		Slice *s = &t->slots[i];
		if (s->hash == hash && s->len == len && memcmp(s->at, at, len) == 0)
			return s;
	}
	return NULL;
}

static Slice *free_slot(const SliceTable *t, uint32_t hash)
{
	uint32_t i = hash & (t->cap - 1);
	while (t->slots[i].at)
		i = (i + 1) & (t->cap - 1);
	return &t->slots[i];
}

static void grow(Arena *a, SliceTable *t, uint32_t cap)
{
	SliceTable bigger = {.cap = cap, .len = t->len};
	bigger.slots = arena_array(a, Slice, bigger.cap);
	for (uint32_t i = 0; i < t->cap; i++)
		if (t->slots[i].at)
			*free_slot(&bigger, t->slots[i].hash) = t->slots[i];
	*t = bigger;
}

void slice_reserve(Arena *a, SliceTable *t, uint32_t n)
{
	uint32_t cap = 256;
	while (cap / 2 < n)
		cap *= 2;
	if (cap > t->cap)
		grow(a, t, cap);
}

Slice *slice_add(Arena *a, SliceTable *t, const char *at, uint32_t len, uint32_t hash)
{
	if (t->len >= t->cap / 2)
		grow(a, t, t->cap ? t->cap * 2 : 256);
	t->len++;
	Slice *s = free_slot(t, hash);
	*s = (Slice){.at = at, .len = len, .hash = hash};
	return s;
}

const Slice *recent_find(const Recent *r, const char *at, const char *end)
{
	size_t left = (size_t)(end - at);
	for (unsigned i = 0; i < ARRAY_LEN(r->slices); i++) {
		const Slice *s = &r->slices[i];
		if (s->len && s->len <= left && at[s->len - 1] == s->at[s->len - 1] &&
		    at[s->len / 2] == s->at[s->len / 2] && memcmp(at, s->at, s->len) == 0)
			return s;
	}
	return NULL;
}

void recent_add(Recent *r, const Slice *s)
{
	r->slices[r->next++ % ARRAY_LEN(r->slices)] = *s;
}
