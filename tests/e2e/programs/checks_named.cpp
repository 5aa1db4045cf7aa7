#include "e2e.h"

extern "C" void null_pointer()
{
	throw 7;
}

extern "C" void division_by_zero()
{
	throw 1.5;
}
