/* view/view.h: a module at each of its stages, as one HTML page that needs nothing else.
 *
 *   ownership  the page lives in the caller's arena; nothing is kept
 *   errors     false: reported, with places in the text; there is no page. What explains the tables of an object reports
 *              warnings, and the page is there
 *   threads    several pages may be made at once */
#ifndef CIRC_VIEW_VIEW_H
#define CIRC_VIEW_VIEW_H

#include "base/vec.h"
#include "pipeline/pipeline.h"
#include "text/parse.h"

typedef struct ViewOptions {
	const char *name; /* of the file, for messages and the title */
	Str text;
	Dialect from;
	RepairMode repair;
	bool repair_given;
	const char *eh; /* as 'cir.ms.eh' has it, or NULL */
	const char *const *triples;
	uint32_t ntriples;        /* 0: the module's own, else the host's */
	PipelineOptions pipeline; /* triple, format, debug and hooks are the view's to set */
} ViewOptions;

bool view_make(const ViewOptions *o, Arena *mem, Diags *d, StrBuf *page);

#endif
