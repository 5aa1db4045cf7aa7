/* driver/heap.h: the process's heap, as the command wants it. */
#ifndef CIRC_DRIVER_HEAP_H
#define CIRC_DRIVER_HEAP_H

#include <stddef.h>

/* A text of that many bytes is about to be compiled: what LLVM will allocate for it comes in large pages
 * where the system has them. Nothing is taken that is not used; nothing depends on it. */
void heap_prepare(size_t text);

#endif
