#include "language.h"

extern "C" void note(int32_t n)
{
	show("note", n);
	fflush(stdout);
}

int main()
{
	show("main", 0);
	return 0;
}

#ifdef TWIN
__attribute__((constructor(300))) static void second() { note(2); }
__attribute__((constructor(200))) static void first() { note(1); }
__attribute__((destructor(300))) static void before_last() { note(3); }
__attribute__((destructor(200))) static void last() { note(4); }
#endif
