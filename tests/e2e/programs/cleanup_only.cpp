#include "twin.h"

#ifdef TWIN
void test()
{
	Cleanup c(1);
	step(1);
}
#endif
