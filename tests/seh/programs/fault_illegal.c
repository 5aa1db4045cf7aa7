// An illegal instruction in another object. Faults are the system's exceptions on windows-msvc alone.
// only: msvc
// trace: c000001d 1 c000001d returns 1
#include "seh.h"

int fault_illegal(void)
{
	__try {
		illegal();
	} __except (say_fault(GetExceptionInformation(), illegal), 1) {
		say_code(GetExceptionCode());
	}
	return 1;
}
