/* driver/batch.h: all inputs through their stages, on as many threads as -j allows.
 *
 * What is reported and written does not depend on the number of threads: the main thread alone prints
 * messages and writes files, in the order of the inputs. With one thread that happens as each input gets
 * there; with several, when it and those before it are done.
 */
#ifndef CIRC_DRIVER_BATCH_H
#define CIRC_DRIVER_BATCH_H

#include "driver/unit.h"

/* units: room for one per CIR input. All are compiled, even after an error: each has its
 * own messages and its own output. */
bool batch_compile(const Options *o, Unit *units, Arena *arena, Report *r, Timing *t);

/* For the handler of LLVM's fatal errors, on any thread: returns when no file is half way to its name. */
void batch_await_writing(void);

#endif
