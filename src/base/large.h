/* base/large.h: memory that the system may give in large pages, where taking it page by
 * page would cost more than using it. */
#ifndef CIRC_BASE_LARGE_H
#define CIRC_BASE_LARGE_H

#include <stddef.h>

enum { LARGE_PAGE = 1 << 21 }; /* bytes */

/* To be called with memory that is about to be filled from its beginning to its end. A
 * hint: nothing depends on its success. */
void large_pages(void *memory, size_t size);

#endif
