// A filter reads at an address that is nobody's; the fault goes on to the handler around.
// Faults are the system's exceptions on windows-msvc alone.
// only: msvc
// trace: e0000001 c0000005 c0000005 c0000005 returns 2
#include "seh.h"

int filter_faults(void)
{
	__try {
		__try {
			raise_code(0xe0000001);
		} __except (say_code(GetExceptionCode()),
		            GetExceptionCode() == 0xe0000001 ? read_from(8) : 0) {
			say(1);
		}
	} __except (say_code(GetExceptionCode()), GetExceptionCode() == 0xc0000005) {
		say_code(GetExceptionCode());
	}
	return 2;
}
