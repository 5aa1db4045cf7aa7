// A function of another object divides by zero. Faults are the system's exceptions on windows-msvc alone.
// only: msvc
// trace: c0000094 1 4 1 c0000094 returns 4
#include "seh.h"

int fault_divide(void)
{
	int n = 0;
	__try {
		__try {
			n = divide(8, 2);
			n = divide(n, 0);
		} __finally {
			say(n);
			say(AbnormalTermination());
		}
	} __except (say_fault(GetExceptionInformation(), divide), 1) {
		say_code(GetExceptionCode());
	}
	return n;
}
