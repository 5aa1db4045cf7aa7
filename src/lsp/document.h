/* lsp/document.h: a text that the editor has open, and what is known of it.
 *
 * Ownership  the text is malloc'ed; what is known of it lives in the arena, which each edit frees.
 * Positions  of the protocol: lines from 0, and characters of UTF-8 or UTF-16 in them. One behind the end of a line is that end. */
#ifndef CIRC_LSP_DOCUMENT_H
#define CIRC_LSP_DOCUMENT_H

#include "base/vec.h"
#include "lsp/check.h"
#include "lsp/names.h"

typedef enum LspEncoding { LSP_UTF16, LSP_UTF8 } LspEncoding;

typedef struct LspPosition {
	uint32_t line, character;
} LspPosition;

typedef struct Document {
	struct Document *next;
	char *uri;
	char *text; /* ends in a NUL */
	uint32_t len;
	int version;
	bool is_published; /* what is wrong with this text */
	LspEncoding encoding;
	Arena mem;            /* of what follows, which is of this text */
	VEC(uint32_t) begins; /* of lines; none: not found yet */
	LspNames *names;      /* NULL: not found yet */
	LspCheck *check;      /* NULL: not checked yet */
} Document;

Document *document_create(const char *uri, LspEncoding encoding, OomGuard *oom); /* NULL: no memory */
void document_destroy(Document *d);

/* False: no memory, or the text would be longer than the reader takes. */
bool document_replace(Document *d, uint32_t begin, uint32_t end, Str text);

uint32_t document_offset(Document *d, LspPosition p);
LspPosition document_position(Document *d, uint32_t offset);
/* Of a place in a message: line and column from 1, columns in bytes. */
uint32_t document_offset_of_column(Document *d, uint32_t line, uint32_t column);
uint32_t document_lines(Document *d);

static inline Str document_text(const Document *d)
{
	return (Str){d->text, d->len};
}

const LspNames *document_names(Document *d);
LspCheck *document_check(Document *d, const LspCheckOptions *o);

#endif
