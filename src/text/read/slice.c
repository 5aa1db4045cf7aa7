#include "text/read/parser.h"

Slice *slice_find(const SliceTable *t, const char *at, uint32_t len, uint32_t hash)
{
	if (!t->cap)
		return NULL;
	for (uint32_t i = hash & (t->cap - 1); t->slots[i].number; i = (i + 1) & (t->cap - 1)) {
		if (t->slots[i].hash != hash)
			continue;
		Slice *s = &t->slices.data[t->slots[i].number - 1];
		if (s->len == len && memcmp(s->at, at, len) == 0)
			return s;
	}
	return NULL;
}

static void enter(const SliceTable *t, SliceSlot slot)
{
	uint32_t i = slot.hash & (t->cap - 1);
	while (t->slots[i].number)
		i = (i + 1) & (t->cap - 1);
	t->slots[i] = slot;
}

static void grow(Arena *a, SliceTable *t, uint32_t cap)
{
	SliceTable bigger = {.cap = cap, .slices = t->slices};
	bigger.slots = arena_array(a, SliceSlot, bigger.cap);
	for (uint32_t i = 0; i < t->cap; i++)
		if (t->slots[i].number)
			enter(&bigger, t->slots[i]);
	*t = bigger;
}

void slice_reserve(Arena *a, SliceTable *t, uint32_t n)
{
	uint32_t cap = 256;
	while (cap / 2 < n)
		cap *= 2;
	if (cap > t->cap)
		grow(a, t, cap);
	vec_reserve(a, &t->slices, n);
}

Slice *slice_add(Arena *a, SliceTable *t, const char *at, uint32_t len, uint32_t hash)
{
	if (t->slices.len >= t->cap / 2)
		grow(a, t, t->cap ? t->cap * 2 : 256);
	vec_push(a, &t->slices, ((Slice){.at = at, .len = len}));
	enter(t, (SliceSlot){hash, t->slices.len});
	return &t->slices.data[t->slices.len - 1];
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
