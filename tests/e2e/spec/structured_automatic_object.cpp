#include "e2e.h"

extern "C" void someFunc();

void test()
{
	someFunc();
}
