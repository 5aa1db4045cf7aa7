// What AbnormalTermination() says on each exit.
// How the body is left: 0 its end, 1 __leave, 2 return, 3 goto, 4 break, 5 continue, 6 an exception.
// trace: 0 10 0 20 1 10 0 20 30 0 0 0 20 1 0 20 30 1 0 1 100 0 1 3 0 1 30 4 0 1 1 1 30 5 0 1 40 returns 50
#include "seh.h"

static int left(int how)
{
	int i;
	for (i = 0; i < 2; i = i + 1) {
		__try {
			say(i);
			if (how == 1)
				__leave;
			if (how == 2)
				return 100;
			if (how == 3)
				goto out;
			if (how == 4)
				break;
			if (how == 5)
				continue;
			if (how == 6)
				raise_code(0xe0000001);
			say(10);
		} __finally {
			say(AbnormalTermination());
		}
		say(20);
	}
	say(30);
out:
	return how;
}

int finally_left(void)
{
	int how;
	for (how = 0; how < 7; how = how + 1) {
		__try {
			say(left(how));
		} __except (1) {
			say(40);
		}
	}
	return 50;
}
