#include "e2e.h"

extern "C" void someFunc();

void test()
{
	someFunc();
}

#ifdef TWIN
void someFunc()
{
	SomeClass c;
	c.doSomething();
}
#endif
