#include "twin.h"

#ifdef TWIN
static void inner()
{
	Cleanup c(2);
	step(1);
}

void test()
{
	try {
		Cleanup c(1);
		inner();
	} catch (int) {
		caught(1);
	}
}
#endif
