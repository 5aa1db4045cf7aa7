#include "twin.h"

#ifdef TWIN
void test()
{
	try {
		EhCleanup c2(2);
		try {
			EhCleanup c1(1);
			try {
				step(1);
			} catch (int) {
				caught(1);
			}
			c1.leave();
		} catch (Base &) {
			caught(2);
		} catch (int) {
			caught(4);
		}
		c2.leave();
	} catch (float) {
		caught(3);
	} catch (...) {
		caught(4);
	}
}
#endif
