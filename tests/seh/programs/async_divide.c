// A division by zero in the function of the __try, which a termination handler is around.
// trace: 4 0 4 4 c0000094 1 1 -1 returns 3
#include "seh.h"

static int ratio(int a, int b)
{
	int n = 0;
	__try {
		__try {
			n = 1;
			n = a / b;
		} __finally {
			say(n);
			say(AbnormalTermination());
		}
		say(n);
	} __except (say_code(GetExceptionCode()), 1) {
		n = -1;
	}
	return n;
}

int async_divide(void)
{
	say(ratio(8, yes() + 1));
	say(ratio(8, yes() - 1));
	return 3;
}
