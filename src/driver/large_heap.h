/* driver/large_heap.h: the process's heap, as the command wants it. */
#ifndef CIRC_DRIVER_LARGE_HEAP_H
#define CIRC_DRIVER_LARGE_HEAP_H

#include <stddef.h>

/* A text of that many bytes is about to be read: it, what is made of it, and what LLVM will allocate for that come in
 * large pages where the system has them. Nothing is taken that is not used; nothing depends on it. What stands in the
 * heap before the first of those pages stays unused until the caller free()s what this returns. */
void *heap_prepare(size_t text);

#endif
