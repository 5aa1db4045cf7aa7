#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

void check_failed(const char *condition, const char *file, int line)
{
	fprintf(stderr, "%s:%d: internal error: '%s' does not hold\n", file, line, condition);
	errno = 0; /* the command takes an abort with ENOMEM for LLVM's want of memory */
	abort();
}

static uint64_t load(const char *at, size_t n)
{
	uint64_t v = 0;
	memcpy(&v, at, n);
	return v;
}

/* Tables take the low bits, which one product gives of the last characters alone where these are the lowest. */
static uint32_t hash_last(uint64_t h, uint64_t v)
{
	uint64_t x = (h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
	x ^= x >> 32;
	return (uint32_t)(x * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

/* Sixteen characters at a time, in two chains, then the last sixteen. A product takes a bit only upwards: the halves
 * of each chain are folded in the end. */
static uint32_t hash_long(const char *at, size_t len)
{
	const uint64_t odd = UINT64_C(0x9E3779B97F4A7C15);
	uint64_t a = len, b = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i + 16 < len; i += 16) {
		a = (a << 23 | a >> 41) ^ load(at + i, 8);
		b = (b << 23 | b >> 41) ^ load(at + i + 8, 8);
		a *= odd;
		b *= odd;
	}
	a = (a ^ a >> 32 ^ load(at + len - 16, 8)) * odd;
	b = (b ^ b >> 29 ^ load(at + len - 8, 8)) * odd;
	a ^= a >> 32;
	return hash_last(b ^ b >> 32, a * odd);
}

/* Names are short: whole words, then one that overlaps them. */
uint32_t hash_bytes(const void *data, size_t len)
{
	const char *at = data;
	uint64_t h = UINT64_C(0xcbf29ce484222325) ^ len;
	if (len >= 32)
		return hash_long(at, len);
	if (len < 8) {
		uint64_t v = len >= 4   ? load(at, 4) << 32 | load(at + len - 4, 4)
		             : len >= 2 ? load(at, 2) << 16 | load(at + len - 2, 2)
		             : len      ? load(at, 1)
		                        : 0;
		return hash_last(h, v);
	}
	for (size_t i = 0; i + 8 < len; i += 8) {
		h = (h ^ load(at + i, 8)) * UINT64_C(0x9E3779B97F4A7C15);
		h ^= h >> 29;
	}
	return hash_last(h ^ h >> 32, load(at + len - 8, 8));
}
