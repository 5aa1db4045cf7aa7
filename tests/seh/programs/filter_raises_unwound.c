// What a filter raises unwinds the frames of the first exception; their termination handlers run once.
// trace: e0000001 e0000002 e0000002 1 2 1 4 e0000002 returns 5
#include "seh.h"

static int refuse(unsigned code)
{
	if (code == 0xe0000001) {
		__try {
			raise_code(0xe0000002);
		} __finally {
			say(1);
		}
	}
	return 0;
}

static void third(void)
{
	__try {
		raise_code(0xe0000001);
	} __finally {
		say(2);
		say(AbnormalTermination());
	}
}

static void second(void)
{
	__try {
		third();
	} __except (say_code(GetExceptionCode()), refuse(GetExceptionCode())) {
		say(3);
	}
}

static void first(void)
{
	__try {
		second();
	} __finally {
		say(4);
	}
}

int filter_raises_unwound(void)
{
	__try {
		first();
	} __except (say_code(GetExceptionCode()), 1) {
		say_code(GetExceptionCode());
	}
	return 5;
}
