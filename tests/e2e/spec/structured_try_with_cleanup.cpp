#include "e2e.h"

extern "C" void someFunc();

void test()
{
	someFunc();
}

#ifdef TWIN
void someFunc()
{
	try {
		SomeClass c;
		c.doSomething();
	} catch (...) {
	}
}
#endif
