/* driver/stack_watch.h: an end with a message where a thread runs out of stack, as LLVM may on code that it recurses on,
 * or anything under a low limit. Other faults stay what they are.
 */
#ifndef CIRC_DRIVER_STACK_WATCH_H
#define CIRC_DRIVER_STACK_WATCH_H

#include <stdbool.h>

enum { STACK_SPARE = 1 << 16 }; /* bytes to end on */

/* From now on the process ends with exit status 3 when the calling thread, the main one, runs out. */
void stack_watch(void);

/* run(arg), on another thread that is watched meanwhile (Jobs.on_thread). */
void stack_watched(void (*run)(void *), void *arg);

/* No longer: for a program that is run in the process. */
void stack_release(void);

#endif
