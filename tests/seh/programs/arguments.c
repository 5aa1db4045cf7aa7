// The arguments of RaiseException, as GetExceptionInformation() gives them to a filter.
// The system raises, and gives EXCEPTION_POINTERS, on windows-msvc alone.
// only: msvc
// trace: 11 22 1 returns 2
#include "seh.h"

int arguments(void)
{
	__try {
		raise_with(0xe0000001, 11, 22);
	} __except (say_arguments(GetExceptionInformation()), 1) {
		say(1);
	}
	return 2;
}
