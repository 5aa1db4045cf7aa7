/* base/large_pages.h: memory that the system may give in large pages, where taking it page by
 * page would cost more than using it. */
#ifndef CIRC_BASE_LARGE_PAGES_H
#define CIRC_BASE_LARGE_PAGES_H

#include <stddef.h>
#include <stdint.h>

enum {
	LARGE_PAGE = 1 << 21, /* bytes */
	MALLOC_ROOM = 64,     /* left of whole pages for malloc's own header, so that they lie side by side */
};

/* To be called with memory that is about to be filled from its beginning to its end. A
 * hint: nothing depends on its success. `begun`: the thread's time before the memory was allocated, since malloc touches it. Where
 * large pages are slow to get, small ones are taken from then on. */
void large_pages(void *memory, size_t size, uint64_t begun);

/* The processor's time that the thread has taken, in nanoseconds; 0: unknown. */
uint64_t large_pages_time(void);

/* Of memory that begins at `from`, was filled up to `at` and ends at `end`: up to where it should be used next,
 * which is at least `need` bytes further. The system is asked for those pages at once, as much as has been
 * filled, since taking them one by one costs twice as much. */
char *pages_ahead(const char *from, char *at, char *end, size_t need);

#endif
