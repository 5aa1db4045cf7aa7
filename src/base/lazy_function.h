/* base/lazy_function.h: a function that is compiled when it is called, between those who know the module and those who call. */
#ifndef CIRC_BASE_LAZY_FUNCTION_H
#define CIRC_BASE_LAZY_FUNCTION_H

#include "base/base.h"

typedef struct LazyFunction {
	const char *name; /* as objects have it */
	uint32_t part;    /* from 1 on: that has its code */
	bool local;       /* other modules do not see it */
	bool weak;
} LazyFunction;

#endif
