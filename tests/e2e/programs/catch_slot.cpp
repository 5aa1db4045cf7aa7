#include "e2e.h"

// Writes all of a local and shows that it is there.
extern "C" void scribble(int *local, int value) noexcept
{
	for (int i = 0; i < 16; i++)
		local[i] = value + i;
	event("local %d", *(volatile int *)local);
}
