#include "twin.h"

#include <exception>

#ifdef TWIN
static void quiet() noexcept
{
	try {
		step(1);
		try {
			step(2);
		} catch (...) {
			std::terminate();
		}
	} catch (int) {
		caught(1);
	}
	done(0);
}

void test()
{
	quiet();
	done(1);
}
#endif
