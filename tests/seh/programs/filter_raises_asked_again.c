// A filter raises; it is asked about that exception, too, and takes it.
// trace: e0000001 e0000002 e0000002 returns 2
#include "seh.h"

static int decide(unsigned code)
{
	say_code(code);
	if (code == 0xe0000001)
		raise_code(0xe0000002);
	return 1;
}

int filter_raises_asked_again(void)
{
	__try {
		raise_code(0xe0000001);
		say(1);
	} __except (decide(GetExceptionCode())) {
		say_code(GetExceptionCode());
	}
	return 2;
}
