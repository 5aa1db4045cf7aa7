#include "twin.h"

#ifdef TWIN
void test()
{
	try {
		EhCleanup c(1);
		step(1);
		c.leave();
	} catch (int) {
		caught(1);
	}
	done(0);
}
#endif
