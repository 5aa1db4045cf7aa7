// A termination handler calls a function that has one, and that catches.
// trace: 10 11 1 20 21 e0000001 returns 3
#include "seh.h"

static void careful(int n)
{
	__try {
		__try {
			raise_code(0xe0000002);
		} __finally {
			say(n);
		}
	} __except (1) {
		say(n + 1);
	}
}

int finally_calls(void)
{
	__try {
		__try {
			raise_code(0xe0000001);
		} __finally {
			careful(10);
			say(AbnormalTermination());
		}
	} __except (1) {
		careful(20);
		say_code(GetExceptionCode());
	}
	return 3;
}
