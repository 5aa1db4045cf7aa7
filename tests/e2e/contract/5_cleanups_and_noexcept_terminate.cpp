#include "twin.h"

#ifdef TWIN
static void quiet() noexcept
{
	step(1);
}

void test()
{
	if (number != 0)
		return quiet();
	EhCleanup c(1);
	step(1);
	c.leave();
}
#endif
