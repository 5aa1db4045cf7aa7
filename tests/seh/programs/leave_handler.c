// __leave in a handler and in a termination handler leaves the __try around.
// trace: 1 4 returns 6
#include "seh.h"

int leave_handler(void)
{
	__try {
		__try {
			raise_code(0xe0000001);
		} __except (1) {
			say(1);
			if (yes())
				__leave;
			say(2);
		}
		say(3);
	} __finally {
		say(4 + AbnormalTermination());
	}
	return 6;
}
