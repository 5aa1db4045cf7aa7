/* base/hash.h: hashes for tables of what the input chooses: names, texts, numbers.
 *
 * Each is keyed by secret numbers, so that nobody can write names that collide, and make tables slow. Hence a hash
 * differs from run to run: nothing that circ writes may depend on it, nor on the order of a table's slots.
 * Threads    no state: a key is whoever's has it.
 */
#ifndef CIRC_BASE_HASH_H
#define CIRC_BASE_HASH_H

#include "base/base.h"

typedef struct HashKey {
	uint64_t a, b; /* any numbers that are hard to guess */
} HashKey;

/* From the system; where that has none, from where it has put things in memory. */
HashKey hash_key(void);

uint32_t hash_bytes(const HashKey *key, const void *data, size_t len);

/* Both halves of the product: of one half, the low bits would not see the high ones of a factor. */
static inline uint64_t hash_fold(uint64_t x, uint64_t y)
{
	__extension__ typedef unsigned __int128 Wide;
	Wide product = (Wide)x * y;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Of several numbers: begin with hash_begin(), mix each in, and take what hash_end() gives. */
static inline uint64_t hash_begin(const HashKey *key)
{
	return key->a;
}

static inline uint64_t hash_mix(const HashKey *key, uint64_t h, uint64_t v)
{
	return hash_fold(h ^ v, key->b);
}

static inline uint32_t hash_end(const HashKey *key, uint64_t h)
{
	return (uint32_t)hash_fold(h ^ key->a, key->b);
}

#endif
