#include "driver/heap.h"

#include "base/large.h"

#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	SMALL_TEXT = 1 << 18,
	HEAP_PER_BYTE = 8, /* of text: measured at -O0 */
	LARGEST_HEAP = 1 << 30,
	PROBE = 1 << 19,
	FROM_SYSTEM = 1 << 20, /* allocations of that size or more are mapped and given back singly */
};

void heap_prepare(size_t text)
{
#if defined(__GLIBC__) && defined(M_TOP_PAD)
	if (text < SMALL_TEXT)
		return;
	int heap = text < LARGEST_HEAP / HEAP_PER_BYTE ? (int)text * HEAP_PER_BYTE : LARGEST_HEAP;
	mallopt(M_MMAP_THRESHOLD, FROM_SYSTEM);
	mallopt(M_TOP_PAD, heap);
	char *probe = malloc(PROBE); /* grows the heap, by that much more */
	char *end = sbrk(0);
	if (probe && probe < end)
		large_pages(probe, (size_t)(end - probe));
	free(probe);
#else
	(void)text;
#endif
}
