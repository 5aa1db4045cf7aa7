// A handler that faults, and a termination handler that does, in a try around them.
// trace: 1 c0000005 c0000094 3 e0000001 4 c0000005 c0000005 returns 5
#include "seh.h"

int async_nested(void)
{
	int n = 0;
	__try {
		__try {
			n = READ(8);
		} __except (say(1), 1) {
			say_code(GetExceptionCode());
			n = 5 / (yes() - 1);
		}
		say(2);
	} __except (say_code(GetExceptionCode()), 1) {
		say(3);
	}
	__try {
		__try {
			raise_code(0xe0000001);
		} __finally {
			say(4);
			WRITE(24, n);
		}
	} __except (say_code(GetExceptionCode()), 1) {
		say_code(GetExceptionCode());
	}
	return 5;
}
