#include "twin.h"

extern "C" void compare(const Base *a, const Base *b)
{
	event(a == b ? "the same object" : "another object");
}

#ifdef TWIN
void test()
{
	Base *inner = nullptr;
	try {
		try {
			step(1);
		} catch (Base &b) {
			inner = &b;
			caught(1);
			saw_base(&b);
			throw;
		}
	} catch (Base &b) {
		caught(2);
		compare(&b, inner);
		saw_base(&b);
	}
	done(0);
}
#endif
