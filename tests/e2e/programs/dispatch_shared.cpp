#include "twin.h"

#ifdef TWIN
void test()
{
	try {
		step(1);
		try {
			EhCleanup c(2);
			step(2);
			c.leave();
		} catch (float) {
			caught(3);
		}
	} catch (int) {
		caught(1);
	} catch (Base &) {
		caught(2);
	}
	done(0);
}
#endif
