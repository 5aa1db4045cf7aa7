// Faults in a loop: every second round one, which its handler ends.
// trace: returns 5
#include "seh.h"

int async_loop(void)
{
	int i, faults = 0;
	for (i = 0; i < 10; i = i + 1) {
		__try {
			if (i % 2 == 0)
				continue;
			say(100 / (i - i * yes()));
		} __except (GetExceptionCode() == 0xc0000094) {
			faults = faults + 1;
		}
	}
	return faults;
}
