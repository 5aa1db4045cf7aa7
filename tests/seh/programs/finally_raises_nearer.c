// The second exception has a handler nearer than the first one's, which is forgotten.
// trace: e0000001 e0000001 1 e0000002 2 3 4 returns 6
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

static void nearer(void)
{
	__try {
		callee();
	} __except (say_code(GetExceptionCode()), GetExceptionCode() == 0xe0000002) {
		say(2);
	}
	say(3);
}

int finally_raises_nearer(void)
{
	__try {
		nearer();
		say(4);
	} __except (say_code(GetExceptionCode()), 1) {
		say(5);
	}
	return 6;
}
