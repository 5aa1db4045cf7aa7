#include "explain/sink.h"

#include "base/escape.h"

#include <stdarg.h>
#include <stdio.h>

void sink_flush(Sink *s)
{
	if (s->n)
		s->write(s->user, s->buffer, s->n);
	s->n = 0;
}

void sink_put(Sink *s, Str text)
{
	if (text.len > sizeof s->buffer - s->n)
		sink_flush(s);
	if (text.len > sizeof s->buffer) {
		s->write(s->user, text.data, text.len);
		return;
	}
	memcpy(s->buffer + s->n, text.data, text.len);
	s->n += text.len;
}

void sink_text(Sink *s, const char *text)
{
	sink_put(s, str_of(text));
}

void sink_printf(Sink *s, const char *fmt, ...)
{
	char text[256];
	va_list args;
	va_start(args, fmt);
	int n = vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	CHECK(n >= 0 && (size_t)n < sizeof text);
	sink_put(s, (Str){text, (size_t)n});
}

static bool is_plain(unsigned char c)
{
	return c >= ' ' && c < 0x7f;
}

void sink_name(Sink *s, const char *text)
{
	for (const char *end = text; *text; text = end) {
		while (is_plain((unsigned char)*end))
			end++;
		sink_put(s, (Str){text, (size_t)(end - text)});
		text = end;
		while (*end && !is_plain((unsigned char)*end))
			end++;
		while (text < end) {
			char escaped[256];
			size_t n = (size_t)(end - text) < 60 ? (size_t)(end - text) : 60;
			escape_into(escaped, sizeof escaped, (Str){text, n});
			sink_text(s, escaped);
			text += n;
		}
	}
}

/* The length of a UTF-8 sequence (Unicode 15, table 3-7), 0: not well-formed; *code: what it is for. */
static unsigned utf8(const unsigned char *p, uint32_t *code)
{
	unsigned n = p[0] < 0x80                   ? 1
	             : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
	             : (p[0] & 0xf0) == 0xe0       ? 3
	             : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
	                                           : 0;
	*code = n == 1 ? p[0] : p[0] & (0x7fu >> n);
	for (unsigned i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (p[i] & 0x3f);
	}
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	bool is_surrogate = *code >= 0xd800 && *code < 0xe000;
	return n == 0 || *code < least[n] || *code > 0x10ffff || is_surrogate ? 0 : n;
}

static void json_code(Sink *s, uint32_t code)
{
	if (code >= 0x10000) {
		sink_printf(s, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
		return;
	}
	sink_printf(s, "\\u%04x", code);
}

static bool is_json_plain(unsigned char c)
{
	return is_plain(c) && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
}

void sink_json(Sink *s, const char *text)
{
	enum { REPLACEMENT = 0xfffd };
	const unsigned char *p = (const unsigned char *)text;
	sink_put(s, STR("\""));
	while (*p) {
		const unsigned char *end = p;
		while (is_json_plain(*end))
			end++;
		sink_put(s, (Str){(const char *)p, (size_t)(end - p)});
		p = end;
		if (!*p)
			break;
		uint32_t code = 0;
		unsigned n = utf8(p, &code);
		json_code(s, n ? code : REPLACEMENT);
		p += n ? n : 1;
	}
	sink_put(s, STR("\""));
}
