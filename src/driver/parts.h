/* driver/parts.h: a large module to one object, in parts that may be compiled at once. */
#ifndef CIRC_DRIVER_PARTS_H
#define CIRC_DRIVER_PARTS_H

#include "driver/unit.h"

typedef enum PartsResult {
	PARTS_DONE,   /* u->image is the object */
	PARTS_WHOLE,  /* nothing was done: the module is to be compiled as a whole */
	PARTS_FAILED, /* no memory; reported */
} PartsResult;

/* Lowers and compiles the module, whose machine is open. Whether it is done in parts depends on the module
 * and the options for code, never on the number of threads. */
PartsResult parts_compile(Unit *u);

#endif
