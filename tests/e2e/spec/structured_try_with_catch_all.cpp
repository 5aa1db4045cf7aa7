#include "e2e.h"

#include <exception>

extern "C" void someFunc();

// The document's f: throws what the scenario says, or a std::exception.
__attribute__((noinline)) void f_or_exception() asm("_Z1fv");
void f_or_exception()
{
	event("f");
	if (number)
		throw std::exception();
	point("f");
}

void test()
{
	someFunc();
}
