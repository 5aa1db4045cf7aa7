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
		f();
	} catch (int) {
		caught(1);
	} catch (float) {
		caught(2);
	} catch (...) {
		caught(3);
	}
}
#endif
