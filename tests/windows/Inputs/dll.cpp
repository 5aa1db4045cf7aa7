#define IN_DLL
#include "dll.h"

static struct Loaded {
	Loaded() { puts("DLL loaded"); }
	~Loaded()
	{
		puts("DLL unloaded");
		fflush(stdout);
	}
} loaded;

void dll_throw(int n)
{
	Cleaned here{"DLL"};
	throw Special(n);
}

void dll_call(void (*callback)())
{
	Cleaned here{"DLL"};
	callback();
}

void dll_catch(void (*callback)())
{
	try {
		callback();
	} catch (const Thrown &t) {
		printf("DLL caught %d\n", t.n);
	}
}
