/* view/data.c: JSON for inside of <script>. The HTML parser looks there for "</script", "<!--" and "<script" only, and JavaScript
 * of before 2019 ends its lines at U+2028 and U+2029: none of '<', '>', '&' and these two is written as itself. Bytes that are
 * not UTF-8 become U+FFFD, one for each. */
#include "view/data.h"

static void separate(ViewData *d)
{
	if (!d->first)
		buf_char(d->mem, d->out, ',');
	d->first = false;
}

void data_open(ViewData *d, char bracket)
{
	separate(d);
	buf_char(d->mem, d->out, bracket);
	d->first = true;
}

void data_close(ViewData *d, char bracket)
{
	buf_char(d->mem, d->out, bracket);
	d->first = false;
}

void data_key(ViewData *d, const char *key)
{
	separate(d);
	buf_printf(d->mem, d->out, "\"%s\":", key);
	d->first = true; /* the value follows without a comma */
}

void data_number(ViewData *d, uint64_t n)
{
	char digits[20];
	size_t at = sizeof digits;
	separate(d);
	do {
		digits[--at] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	buf_put(d->mem, d->out, (Str){digits + at, sizeof digits - at});
}

/* Length of the UTF-8 sequence at p; 0: it is none (Unicode 15, table 3-7). */
static size_t utf8_length(const unsigned char *p, size_t left)
{
	size_t n = p[0] < 0x80   ? 1
	           : p[0] < 0xC2 ? 0
	           : p[0] < 0xE0 ? 2
	           : p[0] < 0xF0 ? 3
	           : p[0] < 0xF5 ? 4
	                         : 0;
	if (n > left)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xC0) != 0x80)
			return 0;
	bool overlong = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90);
	bool surrogate = p[0] == 0xED && p[1] >= 0xA0;
	bool too_high = p[0] == 0xF4 && p[1] >= 0x90;
	return overlong || surrogate || too_high ? 0 : n;
}

static bool is_unsafe(unsigned char c)
{
	return c == '<' || c == '>' || c == '&';
}

static bool is_line_end(const unsigned char *p, size_t n)
{
	return n == 3 && p[0] == 0xE2 && p[1] == 0x80 && (p[2] == 0xA8 || p[2] == 0xA9);
}

static void put_escaped(ViewData *d, const unsigned char *p, size_t n)
{
	if (n == 0)
		buf_put(d->mem, d->out, STR("\\ufffd"));
	else if (n == 3)
		buf_printf(d->mem, d->out, "\\u20%02x", p[2] == 0xA8 ? 0x28 : 0x29);
	else if (*p == '\n')
		buf_put(d->mem, d->out, STR("\\n"));
	else if (*p == '"' || *p == '\\')
		buf_put(d->mem, d->out, *p == '"' ? STR("\\\"") : STR("\\\\"));
	else
		buf_printf(d->mem, d->out, "\\u%04x", *p);
}

/* Text with what JSON escapes, or JSON, where quotes and backslashes are what they are. */
static void put_safe(ViewData *d, Str s, bool text)
{
	const unsigned char *p = (const unsigned char *)s.data;
	size_t begin = 0, at = 0;
	while (at < s.len) {
		size_t n = utf8_length(p + at, s.len - at);
		bool control = text && (p[at] < 0x20 || p[at] == 0x7F || p[at] == '"' || p[at] == '\\');
		if (n && !control && !is_unsafe(p[at]) && !is_line_end(p + at, n)) {
			at += n;
			continue;
		}
		buf_put(d->mem, d->out, (Str){s.data + begin, at - begin});
		put_escaped(d, p + at, n);
		at += n ? n : 1;
		begin = at;
	}
	buf_put(d->mem, d->out, (Str){s.data + begin, at - begin});
}

void data_string(ViewData *d, Str s)
{
	separate(d);
	buf_char(d->mem, d->out, '"');
	put_safe(d, s, true);
	buf_char(d->mem, d->out, '"');
}

void data_json(ViewData *d, Str json)
{
	separate(d);
	put_safe(d, json, false);
}

void data_field(ViewData *d, const char *key, Str s)
{
	data_key(d, key);
	data_string(d, s);
}

void data_field_number(ViewData *d, const char *key, uint64_t n)
{
	data_key(d, key);
	data_number(d, n);
}
