// What a filter raises is resumed by a filter further out; then it answers about the first exception.
// trace: e0000001 e0000002 2 1 e0000001 returns 4
#include "seh.h"

static int decide(unsigned code)
{
	say_code(code);
	if (code == 0xe0000001) {
		raise_code(0xe0000002);
		say(1);
		return 1;
	}
	return 0;
}

int filter_raises_resumed(void)
{
	__try {
		__try {
			raise_code(0xe0000001);
		} __except (decide(GetExceptionCode())) {
			say_code(GetExceptionCode());
		}
	} __except (say(2), -1) {
		say(3);
	}
	return 4;
}
