#include "e2e.h"

extern "C" void someFunc(SomeClass *array);

void test()
{
	alignas(SomeClass) char storage[16 * sizeof(SomeClass)];
	someFunc(reinterpret_cast<SomeClass *>(storage));
}
