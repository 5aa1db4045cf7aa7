#include "twin.h"

#include <new>

extern "C" void make_derived(Derived *place, int tag) noexcept
{
	new (place) Derived(tag);
}

extern "C" void destroy_derived(Derived *object) noexcept
{
	object->~Derived();
}

#ifdef TWIN
void test()
{
	try {
		switch (number) {
		case 0:
			throw 21;
		case 1:
			throw Derived(31);
		case 3:
			try {
				throw 51;
			} catch (...) {
				EhCleanup c(3);
				caught(3);
				throw;
			}
		}
	} catch (int i) {
		caught(0);
		saw_int(i);
	} catch (Base &b) {
		caught(1);
		saw_base(&b);
	}
	if (number == 2) {
		EhCleanup c(2);
		throw 41;
	}
	done(9);
}
#endif
