#include "twin.h"

extern "C" int add(int a, int b) noexcept
{
	return a + b;
}

#ifdef TWIN
static int made(int n)
{
	step(1);
	return add(n, 10);
}

static void either(int n, bool first)
{
	int v = made(n);
	Cleanup one(1);
	if (first)
		throw v;
	else
		throw v;
}

static void earlier(int n, bool first)
{
	int v = made(n);
	if (first)
		throw v;
	step(2);
	throw add(v, 10);
}

void test()
{
	if (number < 2)
		either(number, number);
	else
		earlier(number, number != 2);
}
#endif
