#include "twin.h"

#include <new>

extern "C" void make(Derived *place, int tag)
{
	event("make %d", tag);
	point("make");
	new (place) Derived(tag);
}

extern "C" void destroy_derived(Derived *object) noexcept
{
	object->~Derived();
}

#ifdef TWIN
struct Made : Derived {
	Made(int tag) : Derived((event("make %d", tag), point("make"), tag)) {}
};

void test()
{
	if (number == 0)
		throw Made(8);
	try {
		throw Made(8);
	} catch (Base &b) {
		caught(1);
		saw_base(&b);
	}
}
#endif
