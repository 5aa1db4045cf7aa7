#include "base/name.h"

void names_init(NameTable *t, Arena *arena)
{
	*t = (NameTable){.arena = arena, .cap = 512, .key = hash_key()};
	t->slots = arena_array(arena, Name *, t->cap);
}

/* The slot that holds s, or the empty one where it belongs. */
static Name **find_slot(const NameTable *t, Str s, uint32_t hash)
{
	for (uint32_t i = hash;; i++) {
		Name **slot = &t->slots[i & (t->cap - 1)];
		if (!*slot || ((*slot)->hash == hash && str_equal(name_str(*slot), s)))
			return slot;
	}
}

static void grow(NameTable *t)
{
	NameTable bigger = {.arena = t->arena, .cap = t->cap * 2, .len = t->len, .key = t->key};
	bigger.slots = arena_array(t->arena, Name *, bigger.cap);
	for (uint32_t i = 0; i < t->cap; i++) {
		Name *n = t->slots[i];
		if (n)
			*find_slot(&bigger, name_str(n), n->hash) = n;
	}
	*t = bigger;
}

Name *name_find(const NameTable *t, Str s)
{
	return *find_slot(t, s, hash_bytes(&t->key, s.data, s.len));
}

Name *name_intern(NameTable *t, Str s)
{
	uint32_t hash = hash_bytes(&t->key, s.data, s.len);
	Name **slot = find_slot(t, s, hash);
	if (*slot)
		return *slot;
	if (s.len > UINT32_MAX / 2)
		arena_exhausted(t->arena);
	if (t->len >= t->cap / 2) {
		grow(t);
		slot = find_slot(t, s, hash);
	}
	Name *n = arena_alloc(t->arena, sizeof *n + s.len + 1, _Alignof(Name));
	n->len = (uint32_t)s.len;
	n->hash = hash;
	n->id = t->len++;
	if (s.len)
		memcpy(n->text, s.data, s.len);
	return *slot = n;
}
