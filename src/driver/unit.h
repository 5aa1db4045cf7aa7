/* driver/unit.h: one input file: its text, its way through the pipeline, its output.
 *
 * A step returns false when it reported an error; the unit may then only be closed.
 */
#ifndef CIRC_DRIVER_UNIT_H
#define CIRC_DRIVER_UNIT_H

#include "driver/options.h"
#include "driver/timing.h"
#include "pipeline/pipeline.h"

typedef struct Unit {
	const Options *o;
	const Input *input;
	Report *report;
	Timing *timing;
	Diags d;
	OomGuard *oom; /* of the arenas of m */

	Str text;     /* malloc'ed; what the module was read from */
	void *unused; /* of heap_prepare() */
	IrModule *m;  /* NULL: not read yet, or already an LLVM module */
	PipelineOptions options;
	Pipeline pipeline;
	bool sjlj;                /* circ.eh.model of the module */
	struct JitModule *in_jit; /* of `circ run`, while it is added */
	bool waits;               /* … and what of it is compiled when it is called */
	uint32_t part;
} Unit;

/* What the command line says to all pipelines. */
PipelineOptions unit_pipeline_options(const Options *o);

/* jobs: threads for its parts, or NULL. */
void unit_open(Unit *u, const Options *o, const Input *input, Report *r, Timing *t, Jobs *jobs);
/* Gives back everything but the image and the triple. */
void unit_finish(Unit *u);
/* Leaves what LLVM has made for the process's end to give back, at once: of the one unit of a process that ends soon. */
void unit_leave_llvm(Unit *u);
void unit_close(Unit *u);

/* The input, in outputs and messages. */
const char *unit_name(const Unit *u);

bool unit_read(Unit *u);
/* The verifier at the stage that the text shows; also whether that stage leads to what is to be made. */
bool unit_verify(Unit *u);
/* What LLVM makes of it. */
bool unit_image(Unit *u);
bool unit_print(Unit *u);
bool unit_dump_plan(Unit *u);
/* The image to the unit's file. */
bool unit_write(Unit *u);

#endif
