// A termination handler in a termination handler: each says whether its own body ended normally.
// trace: 1 0 1 2 returns 3
#include "seh.h"

int finally_in_finally(void)
{
	__try {
		__try {
			raise_code(0xe0000001);
		} __finally {
			__try {
				say(1);
				yes();
			} __finally {
				say(AbnormalTermination());
			}
			say(AbnormalTermination());
		}
	} __except (1) {
		say(2);
	}
	return 3;
}
