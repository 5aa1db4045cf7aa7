#include "twin.h"

#ifdef TWIN
void test()
{
	try {
		try {
			step(1);
		} catch (Base &b) {
			caught(1);
			saw_base(&b);
			b.tag = 77;
			throw;
		} catch (...) {
			caught(3);
		}
	} catch (Base &b) {
		caught(2);
		saw_base(&b);
	}
}
#endif
