#include "dll.h"

static void throws()
{
	Cleaned here{"program"};
	throw Special(3);
}

int main()
{
	try {
		dll_throw(1);
	} catch (Thrown &t) {
		printf("caught %d\n", t.n);
	}
	try {
		dll_call(throws);
	} catch (Thrown t) {
		printf("caught copy %d\n", t.n);
	}
	dll_catch(throws);
	puts("end");
	return 0;
}
