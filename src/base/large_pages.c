#include "base/large_pages.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>

enum {
	PAGE = 1 << 12,
	FEWEST_AHEAD = 1 << 14, /* bytes */
	MOST_AHEAD = 1 << 17,
	SLOW = 1000000, /* nanoseconds to get a large page; to clear one takes a tenth or two of that */
};

/* The largest that was advised: of the heap, from which others are taken. */
static _Atomic(uintptr_t) region_begin, region_end;
/* The system has to make large pages first, or a host to give them back: then small ones cost less. */
static atomic_bool are_slow;

#ifdef MADV_HUGEPAGE
static void advise(uintptr_t begin, uintptr_t end, int advice)
{
	uintptr_t first = begin & ~(uintptr_t)(PAGE - 1);
	uintptr_t behind = (end + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	if (begin < end)
		madvise((void *)first, behind - first, advice);
}
#endif

uint64_t large_pages_time(void)
{
	struct timespec t = {0};
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Were pages slow to get since then? What lies behind `from` is taken in small ones. */
static void check_time(uint64_t begun, uintptr_t from, uintptr_t end)
{
	if (large_pages_time() - begun < SLOW || atomic_load(&are_slow))
		return;
	atomic_store(&are_slow, true);
#ifdef MADV_HUGEPAGE
	bool in_region = from >= atomic_load(&region_begin) && from < atomic_load(&region_end);
	advise(from, in_region ? atomic_load(&region_end) : end, MADV_NOHUGEPAGE);
#endif
}

void large_pages(void *memory, size_t size, uint64_t begun)
{
#ifdef MADV_HUGEPAGE
	uintptr_t begin = (uintptr_t)memory, end = begin + size;
	int before = errno; /* of the caller, whatever the system thinks of the advice */
	check_time(begun, begin, end);
	if (size + PAGE >= LARGE_PAGE && !atomic_load(&are_slow))
		advise(begin, end, MADV_HUGEPAGE);
	if (size > atomic_load(&region_end) - atomic_load(&region_begin)) {
		atomic_store(&region_begin, begin);
		atomic_store(&region_end, end);
	}
	errno = before;
#else
	(void)memory;
	(void)size;
	(void)begun;
#endif
}

#ifdef MADV_POPULATE_WRITE
/* A large page's worth at a time. */
static void populate(uintptr_t first, uintptr_t behind, uintptr_t end)
{
	while (first < behind) {
		uintptr_t next = (first | (LARGE_PAGE - 1)) + 1;
		uint64_t begun = large_pages_time();
		next = next < behind ? next : behind;
		madvise((void *)first, next - first, MADV_POPULATE_WRITE);
		check_time(begun, next, end);
		first = next;
	}
}
#endif

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
	populate(first, behind, (uintptr_t)end);
	errno = before;
#endif
	return at + ahead;
}
