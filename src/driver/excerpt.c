#include "driver/excerpt.h"

#include <stdio.h>

enum {
	TAB = 8,
	LEAD = 60, /* bytes shown before the caret when the start of the line is cut */
};

/* A code point of UTF-8, or one byte that is not part of any. */
typedef struct Glyph {
	uint32_t code;
	unsigned len;
	bool valid;
} Glyph;

static Glyph glyph_at(const char *text, size_t left)
{
	const unsigned char *p = (const unsigned char *)text;
	unsigned len = p[0] < 0x80   ? 1
	               : p[0] < 0xC2 ? 0
	               : p[0] < 0xE0 ? 2
	               : p[0] < 0xF0 ? 3
	               : p[0] < 0xF5 ? 4
	                             : 0;
	if (len == 0 || len > left)
		return (Glyph){p[0], 1, false};
	uint32_t code = len == 1 ? p[0] : p[0] & (0x7Fu >> len);
	for (unsigned i = 1; i < len; i++) {
		if ((p[i] & 0xC0) != 0x80)
			return (Glyph){p[0], 1, false};
		code = code << 6 | (p[i] & 0x3F);
	}
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	bool surrogate = code >= 0xD800 && code < 0xE000;
	bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
	bool valid = code >= least[len] && code <= 0x10FFFF && !surrogate && !control;
	return valid ? (Glyph){code, len, true} : (Glyph){p[0], 1, false};
}

typedef struct Range {
	uint32_t first, last;
} Range;

static bool in_ranges(const Range *ranges, size_t n, uint32_t code)
{
	for (size_t i = 0; i < n; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

/* Blocks of Unicode that terminals show in no column, or in two. wcwidth() would need the user's locale. */
static unsigned columns(uint32_t code)
{
	static const Range none[] = {{0x300, 0x36F},   {0x1AB0, 0x1AFF}, {0x200B, 0x200F}, {0x202A, 0x202E},
	                             {0x2060, 0x2069}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}};
	static const Range two[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},  {0x3041, 0xA4CF},
	                            {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},  {0xFE30, 0xFE6F},
	                            {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F},
	                            {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
	if (in_ranges(none, ARRAY_LEN(none), code))
		return 0;
	return in_ranges(two, ARRAY_LEN(two), code) ? 2 : 1;
}

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

/* Where to begin so that the caret is in sight: at the start, or at a character some way before it. */
static size_t first_shown(Str line, size_t offset)
{
	if (offset < EXCERPT_COLUMNS - 10)
		return 0;
	size_t begin = offset - LEAD;
	for (int i = 0; i < 3 && is_continuation(line.data[begin]); i++)
		begin++;
	return begin;
}

typedef struct Writer {
	char *out;
	size_t len, column;
} Writer;

static void put(Writer *w, const char *bytes, size_t n, size_t width)
{
	memcpy(w->out + w->len, bytes, n);
	w->len += n;
	w->column += width;
}

static void put_glyph(Writer *w, const char *p, Glyph g)
{
	char hex[8];
	if (g.valid) {
		put(w, p, g.len, columns(g.code));
	} else if (*p == '\t') {
		size_t n = TAB - w->column % TAB;
		put(w, "        ", n, n);
	} else {
		snprintf(hex, sizeof hex, "<%02X>", g.code & 0xFF);
		put(w, hex, 4, 4);
	}
}

size_t excerpt_make(Str line, size_t offset, char out[EXCERPT_MAX])
{
	if (line.len && line.data[line.len - 1] == '\r')
		line.len--;
	if (offset > line.len)
		offset = line.len;
	size_t at = first_shown(line, offset), caret = 0;
	Writer w = {.out = out};
	if (at)
		put(&w, "...", 3, 3);
	bool found = false;
	/* Marks without a column of their own could go on for ever, hence the second limit. */
	while (at < line.len && w.column < EXCERPT_COLUMNS && w.len < EXCERPT_MAX - 32) {
		Glyph g = glyph_at(line.data + at, line.len - at);
		if (!found && offset < at + g.len) {
			caret = w.column;
			found = true;
		}
		put_glyph(&w, line.data + at, g);
		at += g.len;
	}
	if (!found)
		caret = w.column;
	if (at < line.len)
		put(&w, "...", 3, 3);
	out[w.len] = '\0';
	return caret;
}
