#include "base/large_pages.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

enum {
	PAGE = 1 << 12,
	FEWEST_AHEAD = 1 << 14, /* bytes */
	MOST_AHEAD = 1 << 17,
};

void large_pages(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
	uintptr_t first = (uintptr_t)memory & ~(uintptr_t)(PAGE - 1);
	uintptr_t end = ((uintptr_t)memory + size + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	int before = errno; /* of the caller, whatever the system thinks of the advice */
	if (size + PAGE >= LARGE_PAGE)
		madvise((void *)first, end - first, MADV_HUGEPAGE);
	errno = before;
#else
	(void)memory;
	(void)size;
#endif
}

char *pages_ahead(const char *from, char *at, char *end, size_t need)
{
	size_t ahead = (size_t)(at - from);
	if (ahead < FEWEST_AHEAD)
		ahead = FEWEST_AHEAD;
	if (ahead > MOST_AHEAD)
		ahead = MOST_AHEAD;
	if (ahead < need)
		ahead = need;
	if (ahead > (size_t)(end - at))
		ahead = (size_t)(end - at);
#ifdef MADV_POPULATE_WRITE
	uintptr_t first = ((uintptr_t)at + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	uintptr_t behind = ((uintptr_t)at + ahead) & ~(uintptr_t)(PAGE - 1);
	int before = errno;
	if (first < behind)
		madvise((void *)first, behind - first, MADV_POPULATE_WRITE);
	errno = before;
#endif
	return at + ahead;
}
