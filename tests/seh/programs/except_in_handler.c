// What a handler raises goes to the handler outside of its try, never to itself.
// trace: 1 e0000001 3 e0000002 returns 4
#include "seh.h"

int except_in_handler(void)
{
	__try {
		__try {
			raise_code(0xe0000001);
		} __except (say(1), 1) {
			say_code(GetExceptionCode());
			raise_code(0xe0000002);
			say(2);
		}
	} __except (say(3), 1) {
		say_code(GetExceptionCode());
	}
	return 4;
}
