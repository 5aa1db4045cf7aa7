// goto out of a body, of a handler, and through a termination handler.
// trace: 4 6 1 4 6 1 2 3 5 6 returns 7
#include "seh.h"

static void jump(int how)
{
	__try {
		__try {
			if (how == 0)
				goto out;
			raise_code(0xe0000001);
		} __except (1) {
			say(1);
			if (how == 1)
				goto out;
		}
		say(2);
	} __finally {
		say(3 + AbnormalTermination());
	}
	say(5);
out:
	say(6);
}

int goto_out(void)
{
	jump(0);
	jump(1);
	jump(2);
	return 7;
}
