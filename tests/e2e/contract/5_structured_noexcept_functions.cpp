#include "twin.h"

#ifdef TWIN
static void calls() noexcept
{
	step(1);
	step(2);
}

static void handles() noexcept
{
	try {
		step(3);
	} catch (int e) {
		caught(e);
	}
}

static void throws() noexcept
{
	throw 1;
}

void test()
{
	if (number == 0)
		calls();
	else if (number == 1)
		handles();
	else
		throws();
}
#endif
