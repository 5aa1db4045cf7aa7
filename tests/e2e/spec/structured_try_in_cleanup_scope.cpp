#include "e2e.h"

extern "C" void someFunc();

void test()
{
	someFunc();
}

#ifdef TWIN
#include <exception>

void someFunc()
{
	SomeClass c;
	try {
		c.doSomething();
	} catch (std::exception &) {
	}
}
#endif
