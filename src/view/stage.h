/* view/stage.h: what writes a stage: lines of text, and the number of the op that each line is of. Private to src/view. */
#ifndef CIRC_VIEW_STAGE_H
#define CIRC_VIEW_STAGE_H

#include "ir/module.h"
#include "view/data.h"

/* A text by its lines. */
typedef struct ViewLines {
	Str text;
	uint32_t *begins; /* of each line, and one more: the end */
	uint32_t n;
} ViewLines;

ViewLines view_lines(Str text, Arena *mem);
Str view_line(const ViewLines *l, uint32_t i); /* without its end */

/* Begins the object of a stage; the caller closes it. triple NULL: it is that of all targets. */
void stage_begin(ViewData *d, const char *kind, Str title, const char *triple, Str text);
/* "ops": [line, op, …]. numbers: one for each line; 0: no op. */
void stage_ops(ViewData *d, const uint32_t *numbers, uint32_t nlines);

/* "structured", "read", "flat" or "abi". Returns the text; nothing is written if it equals `same_as`, but for the target. */
Str cir_stage(ViewData *d, IrModule *m, const char *kind, Str title, const char *triple, Str same_as);

/* numbered: the same module's, with a line table whose lines are the numbers of ops. */
void llvm_stage(ViewData *d, const char *triple, Str plain, Str numbered);
void assembly_stage(ViewData *d, const char *triple, Str plain, Str numbered);

/* For each file that a `loc` of the module names, and that can be read. */
void source_stages(ViewData *d, IrModule *m, const char *path);

/* "scopes": the cir.try and cir.cleanup.scope of a structured module, and what stands in them. */
void scope_data(ViewData *d, const IrModule *m);

/* The page around the data. */
void page_put(Str title, Str data, Arena *mem, StrBuf *page);

#endif
