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

#ifdef TWIN
static void saw_part(Base &part)
{
	saw_offset(reinterpret_cast<char *>(&part), reinterpret_cast<char *>(&static_cast<Derived &>(part)));
	saw_base(&part);
}

void test()
{
	try {
		if (number == 2)
			step(1);
		else if (number == 0)
			throw Derived(31);
	} catch (Base &base) {
		caught(1);
		saw_part(base);
	} catch (Base *pointer) {
		caught(3);
		saw_base(pointer);
	}
	if (number != 1)
		return;
	try {
		throw Derived(31);
	} catch (Derived &derived) {
		caught(2);
		event("offset 0");
		saw_base(&derived);
	}
}
#endif
