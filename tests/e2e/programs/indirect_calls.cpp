#include "twin.h"

extern "C" int twice(int n)
{
	event("twice %d", n);
	point("twice");
	return 2 * n;
}

extern "C" int negate(int n)
{
	event("negate %d", n);
	point("negate");
	return -n;
}

#ifdef TWIN
static int (*const table[])(int) = {twice, negate};

void test()
{
	try {
		saw_int(table[number](5));
	} catch (float) {
		caught(2);
	}
	caught(1);
}
#endif
