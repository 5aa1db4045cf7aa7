/* api/emission.h: a public function that takes a module through the pipeline. */
#ifndef CIRC_API_EMISSION_H
#define CIRC_API_EMISSION_H

#include "api/api.h"
#include "pipeline/pipeline.h"

/* What is to be given back however the call ends. It lives in the frame above the one with the setjmp. */
typedef struct Emission {
	IrModule *copy; /* that is lowered and emitted; NULL: the module itself */
	PipelineOptions options;
	PrefixMaps prefix_maps; /* in the memory of `copy` */
	Pipeline pipeline;
} Emission;

/* Opens the pipeline for the module itself. */
bool emission_open(ApiCall *c, Emission *e);
/* Checks the options (NULL: all zero) and opens the pipeline for a copy of the module, which stays as it is. */
bool emission_open_copy(ApiCall *c, Emission *e, const CircEmitOptions *options, CircFormat format);
/* Runs the passes; notes what became of the module. */
bool emission_run(ApiCall *c, Emission *e, Goal goal);
/* Also after a longjmp. */
void emission_close(Emission *e);

#endif
