#include "driver/heap.h"

#include "base/large.h"

#include <malloc.h>
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
	CHUNK = 64,            /* more than malloc keeps of an allocation for itself */
};

void *heap_prepare(size_t text)
{
#if defined(__GLIBC__) && defined(M_TOP_PAD)
	if (text < SMALL_TEXT)
		return NULL;
	int heap = text < LARGEST_HEAP / HEAP_PER_BYTE ? (int)text * HEAP_PER_BYTE : LARGEST_HEAP;
	mallopt(M_MMAP_THRESHOLD, FROM_SYSTEM);
	mallopt(M_TOP_PAD, heap);
	mallopt(M_TRIM_THRESHOLD, LARGEST_HEAP); /* kept for the next text */
	const char *former = sbrk(0);
	char *probe = malloc(PROBE); /* grows the heap, by that much more */
	char *end = sbrk(0);
	bool grown = probe && probe < end && former < end;
	size_t before_pages = -(uintptr_t)probe & (LARGE_PAGE - 1);
	if (grown)
		large_pages(probe, (size_t)(end - probe));
	free(probe);
	return grown && before_pages > PROBE ? malloc(before_pages - CHUNK) : NULL;
#else
	(void)text;
	return NULL;
#endif
}
