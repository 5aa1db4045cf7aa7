#include "e2e.h"

#include <new>

extern "C" void make_derived(Derived *place, int tag) noexcept
{
	new (place) Derived(tag);
}

extern "C" void destroy_derived(Derived *object) noexcept
{
	object->~Derived();
}

extern "C" void saw_offset(const char *part, const char *whole) noexcept
{
	event("offset %d", (int)(part - whole));
}
