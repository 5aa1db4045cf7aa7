// A fault passes an inner filter, which asks for another code, and goes out of the function.
// trace: 4 4 1 3 7 c0000094 returns 4
#include "seh.h"

static int attempt(int a, int b)
{
	int n = 7;
	__try {
		__try {
			n = a / b;
		} __finally {
			say(n);
		}
	} __except (say(1), GetExceptionCode() == 0xc0000005) {
		say(2);
	}
	return n;
}

int async_passed(void)
{
	__try {
		say(attempt(4, yes()));
		say(attempt(4, yes() - 1));
	} __except (say(3), 1) {
		say_code(GetExceptionCode());
	}
	return 4;
}
