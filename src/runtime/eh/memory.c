/* Memory for exceptions: malloc's, and 64 KiB in reserve for when it has none, since the exception may be the one
 * that says so. The reserve is 64 blocks, each a bit of one word, so that threads need no lock. */
#include "runtime/eh/exception.h"

#include "runtime/eh/libc.h"
#include <stdatomic.h>

enum { BLOCK = 1024, BLOCKS = 64 };

static _Alignas(16) char reserve[BLOCKS][BLOCK];
static _Atomic uint64_t used;

static uint64_t mask_of(size_t nblocks)
{
	return nblocks == BLOCKS ? ~UINT64_C(0) : (UINT64_C(1) << nblocks) - 1;
}

/* The first run of free blocks that is long enough; -1: none. */
static int find_run(uint64_t taken, size_t nblocks)
{
	for (size_t i = 0; i + nblocks <= BLOCKS; i++)
		if (!(taken & (mask_of(nblocks) << i)))
			return (int)i;
	return -1;
}

/* The number of blocks stands before the memory. */
static void *take_reserve(size_t size)
{
	size_t nblocks = (size + 16 + BLOCK - 1) / BLOCK;
	uint64_t taken = atomic_load(&used);
	int first;
	if (size > sizeof reserve || nblocks > BLOCKS)
		return NULL;
	do {
		first = find_run(taken, nblocks);
		if (first < 0)
			return NULL;
	} while (!atomic_compare_exchange_weak(&used, &taken, taken | mask_of(nblocks) << first));
	memcpy(reserve[first], &nblocks, sizeof nblocks);
	return reserve[first] + 16;
}

static bool is_in_reserve(const char *memory)
{
	return (uintptr_t)memory - (uintptr_t)reserve < sizeof reserve;
}

static void give_back(const char *memory)
{
	size_t first = (size_t)(memory - reserve[0]) / BLOCK, nblocks;
	memcpy(&nblocks, reserve[first], sizeof nblocks);
	atomic_fetch_and(&used, ~(mask_of(nblocks) << first));
}

void *circeh_allocate(size_t size)
{
	void *memory = malloc(size);
	if (!memory)
		memory = take_reserve(size);
	if (!memory)
		circeh_fatal("no memory for an exception, and none in reserve");
	return memset(memory, 0, size);
}

void circeh_free(void *memory)
{
	if (is_in_reserve(memory))
		give_back(memory);
	else
		free(memory);
}
