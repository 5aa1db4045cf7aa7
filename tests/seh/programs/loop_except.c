// Handlers in a loop: end, continue and break.
// trace: 00000000 0 10 1 00000002 00000003 3 00000004 returns 4
#include "seh.h"

int loop_except(void)
{
	int i;
	for (i = 0; i < 6; i = i + 1) {
		__try {
			if (i != 1)
				raise_code(i);
			say(10);
		} __except (1) {
			say_code(GetExceptionCode());
			if (i == 2)
				continue;
			if (i == 4)
				break;
		}
		say(i);
	}
	return i;
}
