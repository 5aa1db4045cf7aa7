// What a termination handler raises while unwinding takes the place of what was under way.
// Both handlers are in one function: the outer one gets the second exception, and the one between nothing.
// trace: e0000001 1 e0000002 e0000002 4 e0000002 returns 5
#include "seh.h"

int finally_raises(void)
{
	__try {
		__try {
			__try {
				raise_code(0xe0000001);
			} __finally {
				say(1);
				raise_code(0xe0000002);
				say(2);
			}
		} __except (say_code(GetExceptionCode()), GetExceptionCode() == 0xe0000001) {
			say(3);
		}
	} __except (say_code(GetExceptionCode()), 1) {
		say(4);
		say_code(GetExceptionCode());
	}
	return 5;
}
