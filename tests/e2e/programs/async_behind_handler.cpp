#include "e2e.h"

extern "C" void always(int n)
{
	throw n;
}

extern "C" void fails(int n)
{
	step(n);
	throw 2.5;
}
