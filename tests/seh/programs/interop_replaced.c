// clang's termination handler raises while a handler here is unwound to, and the other way round.
// There is no __try elsewhere.
// only: msvc
// trace: e0000001 1 77 e0000077 e0000077 74 2 74 e0000002 74 2 74 77 74 e0000077 returns 3
#include "seh.h"

static void raises(void)
{
	__try {
		raise_code(0xe0000001);
	} __finally {
		say(1);
	}
}

static void raises_twice(void)
{
	__try {
		raise_code(0xe0000001);
	} __finally {
		say(2);
		raise_code(0xe0000002);
	}
}

static void replaces_thrice(void)
{
	replaced(raises_twice);
}

int interop_replaced(void)
{
	__try {
		replaced(raises);
	} __except (say_code(GetExceptionCode()), 1) {
		say_code(GetExceptionCode());
	}
	taken(raises_twice);
	taken(replaces_thrice);
	return 3;
}
