#include "twin.h"

#include <new>

extern "C" void make_derived(Derived *place, int tag)
{
	new (place) Derived(tag);
}

extern "C" void copy_derived(Derived *to, const Derived *from)
{
	new (to) Derived(*from);
}

extern "C" void copy_base(Base *to, const Base *from)
{
	new (to) Base(*from);
}

extern "C" void destroy_derived(Derived *object) noexcept
{
	object->~Derived();
}

extern "C" void throw_in_circ();

extern "C" void catch_in_cxx()
{
	if (number == 0) {
		try {
			throw_in_circ();
		} catch (Derived d) {
			event("Derived %d", d.tag);
		}
	} else {
		try {
			throw_in_circ();
		} catch (Base b) {
			event("Base %d", b.tag);
		}
	}
}

#ifdef TWIN
extern "C" void throw_in_circ()
{
	throw Derived(8);
}

void test()
{
	catch_in_cxx();
}
#endif
