/* lsp/server.h: what the files that answer requests share. */
#ifndef CIRC_LSP_SERVER_H
#define CIRC_LSP_SERVER_H

#include "lsp/json.h"
#include "lsp/lsp.h"

/* Codes of JSON-RPC and of the protocol. */
enum {
	LSP_PARSE_ERROR = -32700,
	LSP_INVALID_REQUEST = -32600,
	LSP_UNKNOWN_METHOD = -32601,
	LSP_INVALID_PARAMS = -32602,
	LSP_NOT_INITIALIZED = -32002,
	LSP_REQUEST_FAILED = -32803,
};

#define LSP_SHOW "circ.show" /* the command */

struct Lsp {
	const LspOptions *o;
	LspSend *send;
	void *user;
	Arena mem; /* of the message that is being answered */
	Document *documents;
	LspEncoding encoding;
	long client;
	bool is_initialized, is_shut_down, is_done;
	int error; /* of the request: a code, or 0 */
	const char *message;
};

/* What a request is about: a document, and mostly a place in it. */
typedef struct Asked {
	Lsp *s;
	const cJSON *params;
	Document *d;
	uint32_t offset;
} Asked;

/* The answer, or NULL where lsp_refuse() was called. */
typedef cJSON *LspAnswer(Asked *a);

/* Makes the answer an error; returns NULL. */
cJSON *lsp_refuse(Lsp *s, int code, const char *fmt, ...) BASE_PRINTF(3, 4);

Document *lsp_document(const Lsp *s, const char *uri);

LspAnswer lsp_definition, lsp_references, lsp_highlights; /* references.c */
LspAnswer lsp_hover;                                      /* hover.c */
LspAnswer lsp_completion;                                 /* completion.c */
LspAnswer lsp_folds, lsp_rename, lsp_format;              /* edit.c */
LspAnswer lsp_show;                                       /* show.c */

const char *lsp_op_words(Arena *mem, OpKind kind); /* hover.c: what the table of ops says, as Markdown */

cJSON *lsp_diagnostics(Lsp *s, Document *d); /* diagnostics.c */

#endif
