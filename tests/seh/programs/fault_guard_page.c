// A guard page is touched in another object; the second time it is a page like any other.
// Faults are the system's exceptions on windows-msvc alone.
// only: msvc
// trace: 80000001 80000001 1 returns 2
#include "seh.h"

int fault_guard_page(void)
{
	int i;
	for (i = 0; i < 2; i = i + 1) {
		__try {
			touch_guard_page();
			say(i);
		} __except (say_code(GetExceptionCode()), 1) {
			say_code(GetExceptionCode());
		}
	}
	return 2;
}
