#include "base/diag_memory.h"

#include <stdlib.h>

typedef struct DiagSaid {
	uint64_t hash;
	uint32_t turn;
} DiagSaid;

static uint64_t hash_of(const DiagMemory *memory, const CircDiagnostic *d)
{
	const HashKey *key = &memory->key;
	uint64_t h = hash_mix(key, hash_begin(key), hash_bytes(key, d->message, strlen(d->message)));
	h = hash_mix(key, h, d->file ? hash_bytes(key, d->file, strlen(d->file)) : 0);
	h = hash_mix(key, h, (uint64_t)d->line << 32 | d->column);
	return h ? h : 1;
}

static DiagSaid *slot_of(const DiagMemory *memory, uint64_t hash)
{
	uint64_t i = hash;
	while (memory->said[i & (memory->cap - 1)].hash && memory->said[i & (memory->cap - 1)].hash != hash)
		i++;
	return &memory->said[i & (memory->cap - 1)];
}

static bool grow(DiagMemory *memory)
{
	DiagMemory old = *memory;
	uint32_t cap = old.cap ? old.cap * 2 : 16;
	DiagSaid *said = cap > old.cap ? calloc(cap, sizeof *said) : NULL;
	if (!said)
		return false;
	if (!old.cap)
		memory->key = hash_key();
	memory->said = said;
	memory->cap = cap;
	for (uint32_t i = 0; i < old.cap; i++)
		if (old.said[i].hash)
			*slot_of(memory, old.said[i].hash) = old.said[i];
	free(old.said);
	return true;
}

bool diag_memory_knows(DiagMemory *memory, const CircDiagnostic *d)
{
	if (memory->len >= memory->cap / 2 && !grow(memory))
		return false;
	uint64_t hash = hash_of(memory, d);
	DiagSaid *said = slot_of(memory, hash);
	if (said->hash)
		return said->turn != memory->turn;
	*said = (DiagSaid){hash, memory->turn};
	memory->len++;
	return false;
}

void diag_memory_free(DiagMemory *memory)
{
	free(memory->said);
	*memory = (DiagMemory){0};
}
