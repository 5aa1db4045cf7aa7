// Collided unwinds: the termination handler of a callee raises while the caller's handler is unwound to.
// trace: e0000001 1 e0000002 2 1 e0000002 returns 3
#include "seh.h"

static void callee(void)
{
	__try {
		raise_code(0xe0000001);
	} __finally {
		say(1);
		raise_code(0xe0000002);
	}
}

static void between(void)
{
	__try {
		callee();
	} __finally {
		say(2);
		say(AbnormalTermination());
	}
}

int finally_raises_in_callee(void)
{
	__try {
		between();
	} __except (say_code(GetExceptionCode()), 1) {
		say_code(GetExceptionCode());
	}
	return 3;
}
