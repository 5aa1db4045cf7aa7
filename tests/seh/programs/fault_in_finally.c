// A termination handler faults while unwinding: the fault takes the place of what was under way.
// Faults are the system's exceptions on windows-msvc alone.
// only: msvc
// trace: e0000001 1 c0000005 c0000005 returns 3
#include "seh.h"

static void cleans(void)
{
	__try {
		raise_code(0xe0000001);
	} __finally {
		say(1);
		write_to(0);
		say(2);
	}
}

int fault_in_finally(void)
{
	__try {
		cleans();
	} __except (say_code(GetExceptionCode()), 1) {
		say_code(GetExceptionCode());
	}
	return 3;
}
