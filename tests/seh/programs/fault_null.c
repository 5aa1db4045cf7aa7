// A function of another object reads and writes at an address that is nobody's: code, address and access reach the filter.
// Faults are the system's exceptions on windows-msvc alone.
// only: msvc
// trace: c0000005 1 0 8 c0000005 c0000005 1 1 16 c0000005 returns 1
#include "seh.h"

int fault_null(void)
{
	__try {
		say(read_from(8));
	} __except (say_fault(GetExceptionInformation(), read_from), 1) {
		say_code(GetExceptionCode());
	}
	__try {
		write_to(16);
	} __except (say_fault(GetExceptionInformation(), write_to), 1) {
		say_code(GetExceptionCode());
	}
	return 1;
}
