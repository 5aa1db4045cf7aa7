#include "twin.h"

#ifdef TWIN
void test()
{
	Cleanup c1(1);
	step(1);
	Cleanup c2(2);
	step(2);
	Cleanup c3(3);
	step(3);
}
#endif
