#include "e2e.h"

extern "C" int someFunc();

void test()
{
	saw_int(someFunc());
}

#ifdef TWIN
int someFunc()
{
	int i = 0;
	while (true) {
		SomeClass c;
		if (i == 3)
			continue;
		if (i == 7)
			break;
		i = c.get();
	}
	return i;
}
#endif
