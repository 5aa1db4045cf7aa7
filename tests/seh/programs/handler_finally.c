// A termination handler in a handler, run by an exception of the handler.
// trace: 1 e0000001 6 3 e0000002 returns 7
#include "seh.h"

int handler_finally(void)
{
	__try {
		__try {
			raise_code(0xe0000001);
		} __except (say(1), 1) {
			__try {
				say_code(GetExceptionCode());
				raise_code(0xe0000002);
			} __finally {
				say(2 + AbnormalTermination());
			}
			say(4);
		}
		say(5);
	} __except (say(6), 1) {
		say_code(GetExceptionCode());
	}
	return 7;
}
