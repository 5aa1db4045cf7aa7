#include "e2e.h"

extern "C" void someFunc();

// The document's f.
__attribute__((noinline)) void the_f() asm("_Z1fv");
void the_f()
{
	event("f");
	point("f");
}

void test()
{
	someFunc();
}
