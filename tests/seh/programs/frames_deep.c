// Through ten frames, each with a termination handler, of one recursive function.
// trace: 10 1 9 1 8 1 7 1 6 1 5 1 4 1 3 1 2 1 1 1 e0000001 returns 11
#include "seh.h"

static void descend(int n)
{
	__try {
		if (n == 10)
			raise_code(0xe0000001);
		descend(n + 1);
		say(100);
	} __finally {
		say(n);
		say(AbnormalTermination());
	}
}

int frames_deep(void)
{
	__try {
		descend(1);
	} __except (1) {
		say_code(GetExceptionCode());
	}
	return 11;
}
