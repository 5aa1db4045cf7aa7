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

uint32_t hash_bytes(const void *data, size_t len)
{
	const unsigned char *p = data;
	uint64_t h = UINT64_C(0xcbf29ce484222325) ^ len;
	for (; len >= 8; p += 8, len -= 8) {
		uint64_t word;
		memcpy(&word, p, 8);
		h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		h ^= h >> 29;
	}
	for (; len; p++, len--)
		h = (h ^ *p) * UINT64_C(0x100000001b3);
	return (uint32_t)(h ^ (h >> 32));
}
