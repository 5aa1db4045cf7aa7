#include "twin.h"

#ifdef TWIN
void test()
{
	try {
		step(1);
	} catch (...) {
		EhCleanup c(1);
		caught(1);
		throw;
	}
}
#endif
