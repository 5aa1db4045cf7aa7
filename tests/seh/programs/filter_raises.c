// A filter raises: the search for the second exception begins in the filter, and it takes the place of the first.
// trace: e0000001 e0000002 2 e0000002 returns 3
#include "seh.h"

static int refuse(unsigned code)
{
	say_code(code);
	if (code == 0xe0000001)
		raise_code(0xe0000002);
	return 0;
}

int filter_raises(void)
{
	__try {
		__try {
			raise_code(0xe0000001);
		} __except (refuse(GetExceptionCode())) {
			say(1);
		}
	} __except (say(2), 1) {
		say_code(GetExceptionCode());
	}
	return 3;
}
