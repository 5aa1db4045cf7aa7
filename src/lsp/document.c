#include "lsp/document.h"

#include <stdlib.h>

enum { TEXT_MAX = INT32_MAX };

Document *document_create(const char *uri, LspEncoding encoding, OomGuard *oom)
{
	Document *d = calloc(1, sizeof *d);
	if (!d)
		return NULL;
	arena_init(&d->mem);
	d->mem.oom = oom;
	d->encoding = encoding;
	d->uri = strdup(uri);
	d->text = calloc(1, 1);
	if (d->uri && d->text)
		return d;
	document_destroy(d);
	return NULL;
}

static void forget(Document *d)
{
	OomGuard *oom = d->mem.oom;
	lsp_check_destroy(d->check);
	arena_free(&d->mem);
	arena_init(&d->mem);
	d->mem.oom = oom;
	memset(&d->begins, 0, sizeof d->begins);
	d->names = NULL;
	d->check = NULL;
	d->is_published = false;
}

void document_destroy(Document *d)
{
	forget(d);
	arena_free(&d->mem);
	free(d->uri);
	free(d->text);
	free(d);
}

bool document_replace(Document *d, uint32_t begin, uint32_t end, Str text)
{
	size_t len = (size_t)d->len - (end - begin) + text.len;
	char *changed = len < TEXT_MAX ? malloc(len + 1) : NULL;
	if (!changed)
		return false;
	memcpy(changed, d->text, begin);
	if (text.len)
		memcpy(changed + begin, text.data, text.len);
	memcpy(changed + begin + text.len, d->text + end, d->len - end);
	changed[len] = 0;
	forget(d);
	free(d->text);
	d->text = changed;
	d->len = (uint32_t)len;
	return true;
}

/* ---- positions ---- */

static void find_lines(Document *d)
{
	if (d->begins.len)
		return;
	vec_push(&d->mem, &d->begins, 0);
	for (const char *p = d->text, *end = p + d->len; (p = memchr(p, '\n', (size_t)(end - p)));)
		vec_push(&d->mem, &d->begins, (uint32_t)(++p - d->text));
}

uint32_t document_lines(Document *d)
{
	find_lines(d);
	return d->begins.len;
}

static uint32_t line_end(const Document *d, uint32_t line)
{
	return line + 1 < d->begins.len ? d->begins.data[line + 1] - 1 : d->len;
}

/* Bytes of the character at p. What is not UTF-8 counts as a character for each byte. */
static uint32_t character_size(const Document *d, uint32_t at, uint32_t end)
{
	unsigned char c = (unsigned char)d->text[at];
	uint32_t n = c < 0xc2 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 1;
	if (n > end - at)
		return 1;
	for (uint32_t i = 1; i < n; i++)
		if (((unsigned char)d->text[at + i] & 0xc0) != 0x80)
			return 1;
	return n;
}

static uint32_t units(const Document *d, uint32_t size)
{
	return d->encoding == LSP_UTF8 ? size : size == 4 ? 2 : 1;
}

uint32_t document_offset(Document *d, LspPosition p)
{
	find_lines(d);
	if (p.line >= d->begins.len)
		return d->len;
	uint32_t at = d->begins.data[p.line], end = line_end(d, p.line), left = p.character;
	while (at < end) {
		uint32_t size = character_size(d, at, end), n = units(d, size);
		if (n > left)
			break;
		left -= n;
		at += size;
	}
	return at;
}

LspPosition document_position(Document *d, uint32_t offset)
{
	find_lines(d);
	uint32_t low = 0, high = d->begins.len; /* the line begins at or before the offset */
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (d->begins.data[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	LspPosition p = {low, 0};
	uint32_t end = line_end(d, low);
	for (uint32_t at = d->begins.data[low]; at < offset && at < end;) {
		uint32_t size = character_size(d, at, end);
		p.character += units(d, size);
		at += size;
	}
	return p;
}

uint32_t document_offset_of_column(Document *d, uint32_t line, uint32_t column)
{
	find_lines(d);
	if (!line || line > d->begins.len)
		return line ? d->len : 0;
	uint32_t at = d->begins.data[line - 1], end = line_end(d, line - 1), more = column ? column - 1 : 0;
	return more > end - at ? end : at + more;
}

/* ---- what is known ---- */

const LspNames *document_names(Document *d)
{
	if (!d->names)
		d->names = lsp_names_find(&d->mem, document_text(d));
	return d->names;
}

LspCheck *document_check(Document *d, const LspCheckOptions *o)
{
	if (!d->check)
		d->check = lsp_check_create(&d->mem, d->uri, document_text(d), o);
	return d->check;
}
