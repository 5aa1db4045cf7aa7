// Termination handlers in a loop, left by continue, break and exceptions.
// trace: 0 10 11 2 10 3 11 4 returns 4
#include "seh.h"

int loop_finally(void)
{
	int i, n = 0;
	__try {
		for (i = 0; i < 5; i = i + 1) {
			__try {
				if (i == 1)
					continue;
				if (i == 3)
					raise_code(0xe0000003);
				say(i);
			} __finally {
				n = n + 1;
				say(10 + AbnormalTermination());
			}
		}
		say(20);
	} __except (say(n), 1) {
		say(n);
	}
	return n;
}
