#include "base/ptrmap.h"

/* Where things are in memory is not the input's to choose. */
static uint32_t hash_pointer(const void *key)
{
	uint64_t x = (uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
	return (uint32_t)(x ^ (x >> 32));
}

static uint32_t slot_of(const PtrMap *map, const void *key)
{
	uint32_t i = hash_pointer(key);
	while (map->keys[i & (map->cap - 1)] && map->keys[i & (map->cap - 1)] != key)
		i++;
	return i & (map->cap - 1);
}

static void grow(Arena *a, PtrMap *map)
{
	PtrMap old = *map;
	map->cap = old.cap ? old.cap * 2 : 16;
	map->keys = arena_array(a, const void *, map->cap);
	map->values = arena_array(a, void *, map->cap);
	for (uint32_t i = 0; i < old.cap; i++) {
		if (old.keys[i]) {
			uint32_t slot = slot_of(map, old.keys[i]);
			map->keys[slot] = old.keys[i];
			map->values[slot] = old.values[i];
		}
	}
}

void ptrmap_put(Arena *a, PtrMap *map, const void *key, void *value)
{
	if (map->len >= map->cap / 2)
		grow(a, map);
	uint32_t slot = slot_of(map, key);
	map->len += map->keys[slot] == NULL;
	map->keys[slot] = key;
	map->values[slot] = value;
}

void *ptrmap_get(const PtrMap *map, const void *key)
{
	return map->cap ? map->values[slot_of(map, key)] : NULL;
}
