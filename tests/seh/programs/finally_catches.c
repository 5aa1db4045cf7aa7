// A termination handler raises and catches by itself; the unwinding goes on.
// trace: e0000001 1 e0000002 e0000002 1 e0000001 returns 3
#include "seh.h"

int finally_catches(void)
{
	__try {
		__try {
			raise_code(0xe0000001);
		} __finally {
			__try {
				say(1);
				raise_code(0xe0000002);
			} __except (say_code(GetExceptionCode()), 1) {
				say_code(GetExceptionCode());
			}
			say(AbnormalTermination());
		}
		say(2);
	} __except (say_code(GetExceptionCode()), 1) {
		say_code(GetExceptionCode());
	}
	return 3;
}
