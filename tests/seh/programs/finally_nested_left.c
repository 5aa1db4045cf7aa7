// A return, and a goto, run three termination handlers.
// trace: 4 7 10 1 4 7 10 12 2 3 5 6 8 9 11 12 returns 13
#include "seh.h"

static int nested(int how)
{
	__try {
		__try {
			__try {
				if (how == 0)
					return 1;
				if (how == 1)
					goto out;
				say(2);
			} __finally {
				say(3 + AbnormalTermination());
			}
			say(5);
		} __finally {
			say(6 + AbnormalTermination());
		}
		say(8);
	} __finally {
		say(9 + AbnormalTermination());
	}
	say(11);
out:
	return 12;
}

int finally_nested_left(void)
{
	say(nested(0));
	say(nested(1));
	say(nested(2));
	return 13;
}
