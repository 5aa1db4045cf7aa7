// A termination handler around an __except: it runs when the handler has ended, or raised.
// trace: 1 2 3 1 5 4 e0000002 returns 6
#include "seh.h"

static void around(int raises)
{
	__try {
		__try {
			raise_code(0xe0000001);
		} __except (1) {
			say(1);
			if (raises)
				raise_code(0xe0000002);
		}
		say(2);
	} __finally {
		say(3 + AbnormalTermination());
	}
}

int finally_around_except(void)
{
	around(0);
	__try {
		around(1);
	} __except (say(5), 1) {
		say_code(GetExceptionCode());
	}
	return 6;
}
