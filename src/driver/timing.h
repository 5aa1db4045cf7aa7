/* driver/timing.h: where the time goes (--time-passes). */
#ifndef CIRC_DRIVER_TIMING_H
#define CIRC_DRIVER_TIMING_H

#include "pipeline/pipeline.h"

/* Nanoseconds. */
typedef struct Time {
	uint64_t wall;
	uint64_t cpu; /* of the calling thread; what other threads do meanwhile is not in it */
} Time;

typedef struct Timing {
	Time spent[PHASE_COUNT];
	Phase now; /* PHASE_COUNT: paused */
	Time since;
} Timing;

void timing_init(Timing *t);
/* From here on the time belongs to `phase`. */
void timing_enter(Timing *t, Phase phase);
/* From here on the time belongs to others, until timing_enter(). */
void timing_pause(Timing *t);
void timing_add(Timing *t, const Timing *other);
/* A table on standard error. */
void timing_print(Timing *t);

#endif
