#include "explain/bytes.h"

Bytes bytes_of(Str all, uint64_t from, uint64_t to)
{
	Bytes b = {.data = all.data, .at = from, .end = to < all.len ? to : all.len};
	if (b.at > b.end)
		b.at = b.end;
	return b;
}

void bytes_fail(Bytes *b, const char *why)
{
	if (!b->failed)
		b->failed = why;
}

void bytes_skip(Bytes *b, uint64_t n)
{
	if (bytes_left(b) < n)
		bytes_fail(b, "table is cut off");
	else
		b->at += n;
}

uint64_t bytes_uint(Bytes *b, unsigned size)
{
	uint64_t value = 0;
	if (bytes_left(b) < size) {
		bytes_fail(b, "table is cut off");
		return 0;
	}
	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)(unsigned char)b->data[b->at + i] << 8 * i;
	b->at += size;
	return value;
}

int64_t bytes_int(Bytes *b, unsigned size)
{
	unsigned up = 64 - 8 * size;
	uint64_t value = bytes_uint(b, size);
	return size >= 8 ? (int64_t)value : (int64_t)(value << up) >> up;
}

enum { LEB_MOST = 10 }; /* bytes of 7 bits for 64 */

/* *bits: how many were there. */
static uint64_t leb(Bytes *b, unsigned *bits, unsigned *last)
{
	uint64_t value = 0, at = b->at;
	*bits = *last = 0;
	for (unsigned i = 0; i < LEB_MOST; i++) {
		if (b->failed || at == b->end) {
			bytes_fail(b, "LEB128 number is cut off");
			return 0;
		}
		*last = (unsigned char)b->data[at++];
		value |= (uint64_t)(*last & 0x7f) << 7 * i;
		*bits += 7;
		if (!(*last & 0x80)) {
			b->at = at;
			return value;
		}
	}
	bytes_fail(b, "LEB128 number does not end within 10 bytes");
	return 0;
}

uint64_t bytes_uleb(Bytes *b)
{
	unsigned bits, last;
	return leb(b, &bits, &last);
}

int64_t bytes_sleb(Bytes *b)
{
	unsigned bits, last;
	uint64_t value = leb(b, &bits, &last);
	if (bits < 64 && (last & 0x40))
		value |= ~(uint64_t)0 << bits;
	return (int64_t)value;
}

Str bytes_text(Bytes *b)
{
	const char *at = b->data + b->at;
	const char *end = bytes_left(b) ? memchr(at, '\0', b->end - b->at) : NULL;
	if (!end) {
		bytes_fail(b, "text is cut off");
		return (Str){"", 0};
	}
	Str text = {at, (size_t)(end - at)};
	b->at += text.len + 1;
	return text;
}
