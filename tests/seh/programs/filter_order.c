// Two phases: the filters of three frames are asked, then termination handlers run, inner ones first.
// trace: 2 6 8 1 4 5 9 returns 10
#include "seh.h"

static void third(void)
{
	__try {
		__try {
			raise_code(0xe0000001);
		} __finally {
			say(1);
		}
	} __except (say(2), 0) {
		say(3);
	}
}

static void second(void)
{
	__try {
		third();
	} __finally {
		say(4);
	}
}

static void first(void)
{
	__try {
		__try {
			second();
		} __finally {
			say(5);
		}
	} __except (say(6), 0) {
		say(7);
	}
}

int filter_order(void)
{
	__try {
		first();
	} __except (say(8), 1) {
		say(9);
	}
	return 10;
}
