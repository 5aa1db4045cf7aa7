// Two frames out a filter resumes; inner filters were asked before.
// trace: 2 8 1 4 5 7 returns 10
#include "seh.h"

static void inner(void)
{
	__try {
		raise_code(0xe0000001);
		say(1);
	} __except (say(2), 0) {
		say(3);
	}
}

static void between(void)
{
	__try {
		inner();
		say(4);
	} __finally {
		say(5 + AbnormalTermination());
	}
}

int resume_from_caller(void)
{
	__try {
		between();
		say(7);
	} __except (say(8), -1) {
		say(9);
	}
	return 10;
}
