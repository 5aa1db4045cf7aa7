// Termination handlers that run because of unwinding recurse, and unwind themselves.
// trace: 3 1 00000003 2 1 00000002 1 1 00000001 returns 1
#include "seh.h"

static void descend(int n)
{
	__try {
		__try {
			raise_code(n);
		} __finally {
			if (n < 3)
				descend(n + 1);
			say(n);
			say(AbnormalTermination());
		}
	} __except (1) {
		say_code(GetExceptionCode());
	}
}

int recursion_finally(void)
{
	descend(1);
	return 1;
}
