#include "base/hash.h"

#include <unistd.h>

HashKey hash_key(void)
{
	HashKey key;
	if (getentropy(&key, sizeof key) != 0) {
		key.a = hash_fold((uintptr_t)&key, UINT64_C(0x9E3779B97F4A7C15));
		key.b = hash_fold((uintptr_t)&hash_key ^ key.a, UINT64_C(0xcbf29ce484222325));
	}
	key.b |= 1;
	return key;
}

static uint64_t load(const char *at, size_t n)
{
	uint64_t v = 0;
	memcpy(&v, at, n);
	return v;
}

/* Sixteen characters at a time, then the last sixteen, or words that overlap: names are short. Each factor has a part
 * that is secret. The second product is for the spread: one would leave steps of an arithmetic progression. */
uint32_t hash_bytes(const HashKey *key, const void *data, size_t len)
{
	const char *at = data, *end = len ? at + len : at; /* nothing may be NULL */
	uint64_t h = key->b ^ len, v = 0, last = 0;
	if (len >= 16) {
		for (; end - at > 16; at += 16)
			h = hash_fold(load(at, 8) ^ key->a, load(at + 8, 8) ^ h);
		v = load(end - 16, 8);
		last = load(end - 8, 8);
	} else if (len >= 8) {
		v = load(at, 8);
		last = load(end - 8, 8);
	} else if (len >= 4) {
		v = load(at, 4) << 32 | load(end - 4, 4);
	} else if (len >= 2) {
		v = load(at, 2) << 16 | load(end - 2, 2);
	} else if (len) {
		v = load(at, 1);
	}
	return hash_end(key, hash_fold(v ^ key->a, last ^ h));
}
