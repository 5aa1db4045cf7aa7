// Three exceptions, each of which takes the place of the one before.
// trace: e0000001 1 e0000002 2 e0000003 e0000003 returns 3
#include "seh.h"

static void first(void)
{
	__try {
		raise_code(0xe0000001);
	} __finally {
		say(1);
		raise_code(0xe0000002);
	}
}

static void second(void)
{
	__try {
		first();
	} __finally {
		say(2);
		raise_code(0xe0000003);
	}
}

int finally_raises_twice(void)
{
	__try {
		second();
	} __except (say_code(GetExceptionCode()), 1) {
		say_code(GetExceptionCode());
	}
	return 3;
}
