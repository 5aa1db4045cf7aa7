#include "driver/large_heap.h"

#include "base/large_pages.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	SMALL_TEXT = 1 << 16,
	HEAP_PER_BYTE = 8, /* of text: measured at -O0 */
	LARGEST_HEAP = 1 << 30,
	PROBE = 1 << 19,
	FROM_SYSTEM = 1 << 22, /* allocations of that size or more are mapped and given back singly */
	MAPPED = 1 << 16,      /* of those at once: what malloc begins with */
	CHUNK = 64,            /* more than malloc keeps of an allocation for itself */
};

void *heap_prepare(size_t text)
{
#if defined(__GLIBC__) && defined(M_TOP_PAD)
	static atomic_int largest; /* what was asked for so far */
	if (text < SMALL_TEXT)
		return NULL;
	int heap = text < LARGEST_HEAP / HEAP_PER_BYTE ? (int)text * HEAP_PER_BYTE : LARGEST_HEAP;
	bool larger = heap / 2 > atomic_load(&largest); /* what a small text left is no room for this one */
	if (larger)
		atomic_store(&largest, heap);
	mallopt(M_TRIM_THRESHOLD, LARGEST_HEAP); /* kept for the next text */
	mallopt(M_TOP_PAD, larger ? 0 : heap);
	mallopt(M_MMAP_MAX, 0); /* the probe is of the heap, whatever its size */
	const char *former = sbrk(0);
	char *probe = malloc(larger ? (size_t)heap : PROBE); /* may grow it */
	char *end = sbrk(0);
	bool grown = probe && probe < end && former < end;
	size_t before_pages = -(uintptr_t)probe & (LARGE_PAGE - 1);
	if (grown)
		large_pages(probe, (size_t)(end - probe), large_pages_time());
	mallopt(M_MMAP_MAX, MAPPED);
	mallopt(M_MMAP_THRESHOLD, FROM_SYSTEM);
	mallopt(M_TOP_PAD, heap);
	free(probe);
	return grown && before_pages > PROBE ? malloc(before_pages - CHUNK) : NULL;
#else
	(void)text;
	return NULL;
#endif
}
