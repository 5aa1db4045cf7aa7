/* driver/program.h: the last step, from the objects of the units to a program. */
#ifndef CIRC_DRIVER_PROGRAM_H
#define CIRC_DRIVER_PROGRAM_H

#include "driver/unit.h"

/* units: one per CIR input, in their order, each with its object; with -### they are not compiled. */
bool program_link(const Options *o, const Unit *units, Arena *arena, Report *r, Timing *t);

#endif
