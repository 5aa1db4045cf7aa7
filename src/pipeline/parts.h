/* pipeline/parts.h: a large module to one object, in parts that may be compiled at once. */
#ifndef CIRC_PIPELINE_PARTS_H
#define CIRC_PIPELINE_PARTS_H

#include "pipeline/pipeline.h"

typedef enum PartsResult {
	PARTS_DONE,   /* p->image is the object */
	PARTS_WHOLE,  /* nothing was done: the module is to be compiled as a whole */
	PARTS_FAILED, /* no memory; reported */
} PartsResult;

/* Whether it is done in parts depends on the module and the options for code, never on the number of threads.
 * compile: makes the image of a part, in a context and with a machine of its own. */
PartsResult parts_compile(Pipeline *p, bool (*compile)(Pipeline *part));

#endif
