#include "e2e.h"

extern "C" int someFunc();

void test()
{
	saw_int(someFunc());
}
