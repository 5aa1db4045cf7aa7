// A handler goes back in front of its __try, until it works.
// trace: 1 00000001 2 00000002 3 00000003 4 10 returns 4
#include "seh.h"

int loop_retried(void)
{
	int tries = 0;
again:
	__try {
		tries = tries + 1;
		say(tries);
		if (tries < 4)
			raise_code(tries);
		say(10);
	} __except (1) {
		say_code(GetExceptionCode());
		goto again;
	}
	return tries;
}
