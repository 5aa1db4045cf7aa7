#include "base/escape.h"

#include <stdio.h>

/* How many bytes from here on are one control character; 0: it is another one. */
static size_t control_at(const char *p, size_t left)
{
	unsigned char c = (unsigned char)p[0], next = left > 1 ? (unsigned char)p[1] : 0;
	if (c < 0x20 || c == 0x7f)
		return 1;
	return c == 0xc2 && next >= 0x80 && next < 0xa0 ? 2 : 0;
}

size_t escape_into(char *out, size_t size, Str text)
{
	size_t len = 0, written = 0;
	bool fits = true;
	for (size_t i = 0, control = 0; i < text.len; i++) {
		char piece[4] = {text.data[i]};
		if (!control)
			control = control_at(text.data + i, text.len - i);
		size_t n = 1;
		if (control) {
			n = (size_t)snprintf(piece, sizeof piece, "\\%02X", (unsigned char)text.data[i]);
			control--;
		}
		len += n;
		fits = fits && len < size;
		if (fits) {
			memcpy(out + written, piece, n);
			written += n;
		}
	}
	if (size)
		out[written] = '\0';
	return len;
}

Str escape_name(Arena *a, Str text)
{
	size_t len = escape_into(NULL, 0, text);
	if (len == text.len)
		return text;
	char *out = arena_alloc(a, len + 1, 1);
	escape_into(out, len + 1, text);
	return (Str){out, len};
}
