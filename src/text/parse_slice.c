#include "text/parser.h"

static uint64_t load(const char *at, uint32_t n)
{
	uint64_t v = 0;
	memcpy(&v, at, n);
	return v;
}

/* Sixteen characters at a time, in two chains, then the last sixteen. A product takes a bit only upwards: the halves
 * of each chain are folded in the end. */
static uint32_t hash_long(const char *at, uint32_t len)
{
	const uint64_t odd = UINT64_C(0x9E3779B97F4A7C15);
	uint64_t a = len, b = UINT64_C(0xcbf29ce484222325);
	for (uint32_t i = 0; i + 16 < len; i += 16) {
		a = (a << 23 | a >> 41) ^ load(at + i, 8);
		b = (b << 23 | b >> 41) ^ load(at + i + 8, 8);
		a *= odd;
		b *= odd;
	}
	a = (a ^ a >> 32 ^ load(at + len - 16, 8)) * odd;
	b = (b ^ b >> 29 ^ load(at + len - 8, 8)) * odd;
	a ^= a >> 32;
	return hash_mix((uint32_t)(b ^ b >> 32), a * odd);
}

/* Names are short: whole words, then one that overlaps them. */
uint32_t slice_hash(const char *at, uint32_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325) ^ len;
	if (len >= 32)
		return hash_long(at, len);
	if (len < 8) {
		uint64_t v = len >= 4   ? load(at, 4) << 32 | load(at + len - 4, 4)
		             : len >= 2 ? load(at, 2) << 16 | load(at + len - 2, 2)
		             : len      ? load(at, 1)
		                        : 0;
		return hash_mix((uint32_t)h, v);
	}
	for (uint32_t i = 0; i + 8 < len; i += 8) {
		h = (h ^ load(at + i, 8)) * UINT64_C(0x9E3779B97F4A7C15);
		h ^= h >> 29;
	}
	return hash_mix((uint32_t)(h ^ h >> 32), load(at + len - 8, 8));
}

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

static void grow(Arena *a, SliceTable *t)
{
	SliceTable bigger = {.cap = t->cap ? t->cap * 2 : 256, .len = t->len};
	bigger.slots = arena_array(a, Slice, bigger.cap);
	for (uint32_t i = 0; i < t->cap; i++)
		if (t->slots[i].at)
			*free_slot(&bigger, t->slots[i].hash) = t->slots[i];
	*t = bigger;
}

Slice *slice_add(Arena *a, SliceTable *t, const char *at, uint32_t len, uint32_t hash)
{
	if (t->len >= t->cap / 2)
		grow(a, t);
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
