/* driver/run.h: `circ run`: the program runs in this process, through the JIT. */
#ifndef CIRC_DRIVER_RUN_H
#define CIRC_DRIVER_RUN_H

#include "driver/unit.h"

/* Compiles the units, links them in memory, calls main and ends the process with its result. Returns when
 * that could not be done, which was reported. May replace the process by itself with another C++ library
 * loaded first: `argv` is then its own. */
void run_program(const Options *o, Unit *units, char **argv, Arena *arena, Report *r, Timing *t);

#endif
