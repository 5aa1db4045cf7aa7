#include "twin.h"

#include <exception>

#ifdef TWIN
static void typed()
{
	try {
		EhCleanup c(1);
		step(1);
		c.leave();
	} catch (int) {
		caught(1);
	} catch (void *) {
		caught(1);
	} catch (Base &) {
		caught(1);
	} catch (std::exception &) {
		caught(1);
	}
}

void test()
{
	if (number == 0)
		return typed();
	try {
		typed();
	} catch (...) {
		caught(9);
		if (number == 2)
			throw;
	}
}
#endif
