#include "twin.h"

#ifdef TWIN
void test()
{
	try {
		try {
			EhCleanup c(1);
			step(1);
			c.leave();
		} catch (int) {
			caught(1);
		} catch (...) {
			EhCleanup c(2);
			caught(2);
			throw;
		}
	} catch (int) {
		caught(1);
	} catch (...) {
		caught(3);
	}
	done(0);
}
#endif
