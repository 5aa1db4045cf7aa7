/* lsp/lsp.h: a server of the Language Server Protocol for CIR, a message at a time. Who calls it reads and writes them
 * (driver/lsp.c).
 *
 * Ownership  the server has the documents; messages are borrowed both ways, for the call.
 * Errors     in messages are answers of the protocol. Memory that runs out goes to `oom`; the server can then only be forgotten.
 * Threads    one. */
#ifndef CIRC_LSP_LSP_H
#define CIRC_LSP_LSP_H

#include "lsp/check.h"

typedef struct LspOptions {
	LspCheckOptions check;
	const char *version; /* of circ */
	OomGuard *oom;
} LspOptions;

typedef struct Lsp Lsp;

/* Once, before the first server: loads the library for JSON. False: *why says what is wrong, until another library is loaded. */
bool lsp_load(const char **why);

/* One message, without its header. */
typedef void LspSend(void *user, const char *json, size_t len);

Lsp *lsp_create(const LspOptions *o, LspSend *send, void *user); /* NULL: no memory. Options are borrowed */
void lsp_destroy(Lsp *s);

void lsp_take(Lsp *s, const char *json, size_t len);

/* No message is waiting: sends what is wrong with texts that changed. */
void lsp_idle(Lsp *s);

/* `exit` was asked for; *status: what the process is to end with. */
bool lsp_is_done(const Lsp *s, int *status);
/* The process that the client is; 0: it did not say. */
long lsp_client(const Lsp *s);

#endif
