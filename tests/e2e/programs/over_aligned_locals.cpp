#include "e2e.h"

extern "C" void saw_aligned(const int *address, unsigned long long alignment) noexcept
{
	if ((unsigned long long)address % alignment)
		event("%% %llu is %llu", alignment, (unsigned long long)address % alignment);
	else
		event("aligned");
}
