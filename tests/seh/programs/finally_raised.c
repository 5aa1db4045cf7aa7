// An exception passes two termination handlers, inner first, after the filter was asked.
// trace: 3 1 1 2 1 4 returns 5
#include "seh.h"

int finally_raised(void)
{
	__try {
		__try {
			__try {
				raise_code(0xe0000001);
			} __finally {
				say(1);
				say(AbnormalTermination());
			}
		} __finally {
			say(2);
			say(AbnormalTermination());
		}
	} __except (say(3), 1) {
		say(4);
	}
	return 5;
}
