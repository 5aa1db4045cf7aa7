#include "e2e.h"

#include <new>

extern "C" int someFunc();

void test()
{
	saw_int(someFunc());
}

#ifdef TWIN
int someFunc()
{
	alignas(SomeClass) char storage[sizeof(SomeClass)]; // without the exceptional cleanups, as the listing has it
	auto *c = reinterpret_cast<SomeClass *>(storage);
	int i = 0;
	while (true) {
		new (c) SomeClass;
		if (i == 7) {
			c->~SomeClass();
			break;
		}
		if (i != 3)
			i = c->get();
		c->~SomeClass();
	}
	return i;
}
#endif
