// An inner filter passes on, the outer one takes it.
// trace: 1 4 5 returns 6
#include "seh.h"

int except_passed(void)
{
	__try {
		__try {
			raise_code(0xe0000001);
		} __except (say(1), 0) {
			say(2);
		}
		say(3);
	} __except (say(4), 1) {
		say(5);
	}
	return 6;
}
