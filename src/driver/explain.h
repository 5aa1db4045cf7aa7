/* driver/explain.h: `circ explain`: what an exception does, of a module or of somebody's object. */
#ifndef CIRC_DRIVER_EXPLAIN_H
#define CIRC_DRIVER_EXPLAIN_H

#include "driver/unit.h"

/* On standard output, as text or as JSON. What is wrong is reported. */
void explain_file(const Options *o, Report *r, Timing *t);

#endif
