// through_cxx() calls the circ function only_cleans(), test() the circ function catches(); the twin has them all in C++.
#include "twin.h"

extern "C" void only_cleans();
extern "C" void catches();

extern "C" void through_cxx()
{
	Cleanup c(2);
	only_cleans();
}

void test()
{
	Cleanup c(1);
	catches();
}

#ifdef TWIN
void does_nothing()
{
	f();
}

void only_cleans()
{
	Cleanup c(3);
	does_nothing();
}

void catches()
{
	try {
		through_cxx();
	} catch (Base &) {
		caught(1);
	}
}
#endif
