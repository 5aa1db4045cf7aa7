/* pipeline/lazy.h: which functions of a module that was divided (PipelineOptions.lazy) wait to be called. */
#ifndef CIRC_PIPELINE_LAZY_H
#define CIRC_PIPELINE_LAZY_H

#include "base/lazy_function.h"
#include "base/vec.h"
#include "pipeline/pipeline.h"

typedef VEC(LazyFunction) LazyFunctions;

/* Those that are called from other parts, or may be from other modules; in mem. */
LazyFunctions pipeline_lazy_functions(const Pipeline *p, Arena *mem);

#endif
