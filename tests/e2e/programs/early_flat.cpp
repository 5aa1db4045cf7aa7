#include "e2e.h"

#ifdef TWIN
void test()
{
	try {
		step(1);
	} catch (int value) {
		saw_int(value);
	}
}
#endif
