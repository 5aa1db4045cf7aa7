// A write at an address that is nobody's, in the function of the __try, and what the record has of it.
// EXCEPTION_POINTERS are the system's on windows-msvc alone.
// only: msvc
// trace: 1 16 2 returns 2
#include "seh.h"

int async_write(void)
{
	int n = 1;
	__try {
		n = 2;
		WRITE(16, n);
		n = 3;
	} __except (say_arguments(GetExceptionInformation()), 1) {
		say(n);
	}
	return n;
}
