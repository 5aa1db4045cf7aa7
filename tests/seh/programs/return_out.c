// return out of a body, of a handler, and through a termination handler.
// trace: 4 10 1 4 20 1 2 3 30 returns 7
#include "seh.h"

static int left(int how)
{
	__try {
		__try {
			if (how == 0)
				return 10;
			raise_code(0xe0000001);
		} __except (1) {
			say(1);
			if (how == 1)
				return 20;
		}
		say(2);
	} __finally {
		say(3 + AbnormalTermination());
	}
	return 30;
}

int return_out(void)
{
	say(left(0));
	say(left(1));
	say(left(2));
	return 7;
}
