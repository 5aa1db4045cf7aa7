#include "twin.h"

#ifdef TWIN
void test()
{
	try {
		try {
			Cleanup c(1);
			try {
				step(1);
			} catch (int) {
				caught(1);
			}
		} catch (int) {
			caught(3);
		} catch (float) {
			caught(2);
		}
	} catch (...) {
		caught(3);
	}
	done(0);
}
#endif
