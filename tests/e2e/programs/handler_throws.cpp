#include "twin.h"

#ifdef TWIN
void test()
{
	try {
		try {
			step(1);
		} catch (Base &) {
			Cleanup c(1);
			caught(1);
			step(2);
		} catch (int) {
			caught(2);
		}
	} catch (int) {
		caught(3);
	}
	done(0);
}
#endif
