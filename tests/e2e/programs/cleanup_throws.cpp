#include "twin.h"

#ifdef TWIN
void test()
{
	try {
		Cleanup c(1);
		step(1);
	} catch (...) {
		caught(1);
	}
	done(0);
}
#endif
