#include "twin.h"

#include <new>

// A destructor with a symbol, as a class with a destructor of its own would have.
extern "C" void make(Derived *place, int tag)
{
	event("make %d", tag);
	point("make");
	new (place) Derived(tag);
}

extern "C" void destroy(Derived *object) noexcept __asm__("_ZN7DerivedD1Ev");
void destroy(Derived *object) noexcept
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
