/* explain/bytes.h: a reader of bytes with an end. What would pass the end gives 0 and sets `failed`, which stays: who reads
 * asks once, after several fields. The place of the failure is `at`. Little endian. */
#ifndef CIRC_EXPLAIN_BYTES_H
#define CIRC_EXPLAIN_BYTES_H

#include "base/base.h"

typedef struct Bytes {
	const char *data; /* offsets count from here */
	uint64_t at, end;
	const char *failed; /* what is wrong, for a message; NULL: nothing */
} Bytes;

/* From an offset to another one, as far as `all` has it. */
Bytes bytes_of(Str all, uint64_t from, uint64_t to);

static inline uint64_t bytes_left(const Bytes *b)
{
	return b->failed ? 0 : b->end - b->at;
}

uint64_t bytes_uint(Bytes *b, unsigned size); /* 1 to 8 bytes */
int64_t bytes_int(Bytes *b, unsigned size);   /* the same, with its sign */
uint64_t bytes_uleb(Bytes *b);                /* at most 10 bytes */
int64_t bytes_sleb(Bytes *b);
Str bytes_text(Bytes *b); /* ends with NUL, which is not part of it */
void bytes_skip(Bytes *b, uint64_t n);
void bytes_fail(Bytes *b, const char *why);

#endif
