/* driver/stack.h: an end with a message where a thread runs out of stack, as LLVM may on code that it recurses on,
 * or anything under a low limit. Other faults stay what they are.
 */
#ifndef CIRC_DRIVER_STACK_H
#define CIRC_DRIVER_STACK_H

#include <stdbool.h>

enum { STACK_SPARE = 1 << 16 }; /* bytes to end on */

/* From now on the process ends with exit status 3 when the calling thread, the main one, runs out. */
void stack_watch(void);

/* The same for work on another thread, if it is one, until the end; w is in the frame of who does the work. */
typedef struct StackWatch {
	_Alignas(16) char spare[STACK_SPARE]; /* AddressSanitizer wants 8 */
	bool begun;
} StackWatch;
void stack_watch_thread(StackWatch *w);
void stack_end_watch(const StackWatch *w);

/* No longer: for a program that is run in the process. */
void stack_release(void);

#endif
