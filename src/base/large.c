#include "base/large.h"

#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 1 << 12 };

void large_pages(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
	uintptr_t first = (uintptr_t)memory & ~(uintptr_t)(PAGE - 1);
	uintptr_t end = ((uintptr_t)memory + size + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	if (size + PAGE >= LARGE_PAGE)
		madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
	(void)memory;
	(void)size;
#endif
}
