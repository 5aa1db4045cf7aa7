// A termination handler that raises after the end of the body: an exception like any other.
// trace: 1 0 e0000001 returns 3
#include "seh.h"

int finally_raises_normally(void)
{
	__try {
		__try {
			say(1);
			yes();
		} __finally {
			say(AbnormalTermination());
			raise_code(0xe0000001);
		}
		say(2);
	} __except (1) {
		say_code(GetExceptionCode());
	}
	return 3;
}
