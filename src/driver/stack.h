/* driver/stack.h: an end with a message where the main thread runs out of stack, as LLVM may on code that it
 * recurses on, or anything under a low limit. Other faults stay what they are.
 */
#ifndef CIRC_DRIVER_STACK_H
#define CIRC_DRIVER_STACK_H

/* From now on the process ends with exit status 3 then. */
void stack_watch(void);
/* No longer: for a program that is run in the process. */
void stack_release(void);

#endif
