// __leave goes to the end of its own __try.
// trace: 1 3 5 returns 7
#include "seh.h"

int leave_except(void)
{
	__try {
		__try {
			say(1);
			if (yes())
				__leave;
			raise_code(0xe0000001);
		} __except (1) {
			say(2);
		}
		say(3);
		if (yes())
			__leave;
		say(4);
	} __finally {
		say(5 + AbnormalTermination());
	}
	return 7;
}
