#include "twin.h"

#ifdef TWIN
static void thrower(int kind)
{
	switch (kind) {
	case 0:
		throw 11;
	case 1:
		throw 1.5f;
	case 2:
		throw &base_object;
	default:
		throw true;
	}
}

void test()
{
	try {
		thrower(number);
	} catch (bool) {
		caught(3);
	}
}
#endif
