#include "e2e.h"

extern "C" inline __attribute__((noinline)) void shared()
{
	try {
		step(1);
	} catch (int) {
		caught(1);
		return;
	}
	done(0);
}

extern "C" void from_cxx()
{
	shared();
}
