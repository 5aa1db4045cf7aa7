#include "base/name.h"

void names_init(NameTable *t, Arena *arena)
{
	*t = (NameTable){.arena = arena, .cap = 512, .key = hash_key()};
	t->slots = arena_array(arena, NameSlot, t->cap);
}

/* The slot that holds s, or the empty one where it belongs. */
static NameSlot *find_slot(const NameTable *t, Str s, uint32_t hash)
{
	for (uint32_t i = hash;; i++) {
		NameSlot *slot = &t->slots[i & (t->cap - 1)];
		if (!slot->name || (slot->hash == hash && str_equal(name_str(slot->name), s)))
			return slot;
	}
}

/* The names themselves are not looked at: most of them are not in the cache. */
static void grow(NameTable *t)
{
	NameTable bigger = {.arena = t->arena, .cap = t->cap * 2, .len = t->len, .key = t->key};
	bigger.slots = arena_array(t->arena, NameSlot, bigger.cap);
	for (uint32_t i = 0; i < t->cap; i++) {
		if (!t->slots[i].name)
			continue;
		uint32_t to = t->slots[i].hash & (bigger.cap - 1);
		while (bigger.slots[to].name)
			to = (to + 1) & (bigger.cap - 1);
		bigger.slots[to] = t->slots[i];
	}
	*t = bigger;
}

Name *name_find(const NameTable *t, Str s)
{
	return find_slot(t, s, hash_bytes(&t->key, s.data, s.len))->name;
}

Name *name_intern(NameTable *t, Str s)
{
	uint32_t hash = hash_bytes(&t->key, s.data, s.len);
	NameSlot *slot = find_slot(t, s, hash);
	if (slot->name)
		return slot->name;
	if (s.len > UINT32_MAX / 2)
		arena_exhausted(t->arena);
	if (t->len >= t->cap / 4 * 3) {
		grow(t);
		slot = find_slot(t, s, hash);
	}
	Name *n = arena_alloc_raw(t->arena, sizeof *n + s.len + 1, _Alignof(Name));
	*n = (Name){.len = (uint32_t)s.len, .id = t->len++};
	if (s.len)
		memcpy(n->text, s.data, s.len);
	n->text[s.len] = '\0';
	*slot = (NameSlot){n, hash};
	return n;
}

int name_compare(const Name *a, const Name *b)
{
	int order = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);
	return order ? order : (a->len > b->len) - (a->len < b->len);
}
