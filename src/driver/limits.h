/* driver/limits.h: --untrusted: this process gets no more than it may have. */
#ifndef CIRC_DRIVER_LIMITS_H
#define CIRC_DRIVER_LIMITS_H

#include "driver/options.h"

/* On the main thread, before there are others. From here on the process ends, with a message and exit status 3, when it has used up its
 * processor time, and memory beyond the bound is refused to it, which is an error as when there is none. False: the system refuses; reported. */
bool limits_set(const Options *o, Report *r);

#endif
