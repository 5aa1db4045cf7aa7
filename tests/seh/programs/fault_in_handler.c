// A handler faults, and the handler around it takes the fault. Faults are the system's exceptions on windows-msvc alone.
// only: msvc
// trace: 1 c0000094 c0000005 c0000005 returns 2
#include "seh.h"

int fault_in_handler(void)
{
	__try {
		__try {
			say(divide(1, 0));
		} __except (say(1), 1) {
			say_code(GetExceptionCode());
			say(read_from(0));
		}
	} __except (say_code(GetExceptionCode()), 1) {
		say_code(GetExceptionCode());
	}
	return 2;
}
