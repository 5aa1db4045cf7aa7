#include "twin.h"

#ifdef TWIN
static void catch_base()
{
	try {
		Cleanup c2(2);
		Cleanup c3(3);
		step(1);
	} catch (Base &) {
		caught(2);
	}
}

static void catch_int()
{
	try {
		catch_base();
	} catch (int i) {
		caught(1);
		saw_int(i);
	}
}

void test()
{
	Cleanup c(1);
	catch_int();
}
#endif
