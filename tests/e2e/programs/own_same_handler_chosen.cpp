#include "e2e.h"

extern "C" void throw_short()
{
	throw short(5);
}

extern "C" void catch_short(void (*f)())
{
	try {
		f();
	} catch (short n) {
		event("short %d", n);
	}
}
