/* lsp/check.h: a text read and verified, as `circ --verify-only` does it.
 *
 * Ownership  all but the module is in the Arena; lsp_check_destroy() gives the module back.
 * Errors     are what is found. */
#ifndef CIRC_LSP_CHECK_H
#define CIRC_LSP_CHECK_H

#include "base/vec.h"
#include "circ/diagnostic.h"
#include "pipeline/pipeline.h"
#include "text/parse.h"

typedef struct LspCheckOptions {
	Dialect from;
	PipelineOptions pipeline;
} LspCheckOptions;

typedef struct LspMessage {
	CircSeverity severity;
	uint32_t line, column; /* from 1; 0: no place */
	const char *text;
} LspMessage;

typedef struct LspCheck {
	Arena *mem;
	VEC(LspMessage) messages; /* notes behind what they belong to */
	IrModule *m;              /* NULL: the text cannot be read */
	Pipeline pipeline;        /* open while it has a triple */
	PipelineOptions options;
	Diags d;
	bool is_good;    /* no error */
	VEC(IrOp *) ops; /* ascending by place; none: not asked for yet */
} LspCheck;

LspCheck *lsp_check_create(Arena *mem, const char *name, Str text, const LspCheckOptions *o);
void lsp_check_destroy(LspCheck *c); /* NULL: nothing */

/* The op whose place is in [begin, end]; NULL: none, or the text has errors. */
const IrOp *lsp_check_op(LspCheck *c, uint32_t begin, uint32_t end);

#endif
