// docs/seh.md: GetExceptionInformation.
// EXCEPTION_POINTERS are the system's on windows-msvc alone.
// only: msvc
// trace: 7 8 returns 0
#include "seh.h"

int looks(void)
{
	__try {
		raise_with(0xe0000001, 7, 8);
	} __except (say_arguments(GetExceptionInformation()), 1) {
	}
	return 0;
}
