// The filter answers -1: RaiseException returns, and nothing was unwound.
// trace: 1 5 2 3 returns 7
#include "seh.h"

int resume(void)
{
	__try {
		__try {
			say(1);
			raise_code(0xe0000001);
			say(2);
		} __finally {
			say(3 + AbnormalTermination());
		}
	} __except (say(5), -1) {
		say(6);
	}
	return 7;
}
