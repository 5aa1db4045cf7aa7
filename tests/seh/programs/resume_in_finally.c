// What a termination handler raises while unwinding is resumed; the unwinding goes on.
// trace: e0000001 1 e0000002 2 e0000001 returns 3
#include "seh.h"

int resume_in_finally(void)
{
	__try {
		__try {
			raise_code(0xe0000001);
		} __finally {
			say(1);
			raise_code(0xe0000002);
			say(2);
		}
	} __except (say_code(GetExceptionCode()), GetExceptionCode() == 0xe0000002 ? -1 : 1) {
		say_code(GetExceptionCode());
	}
	return 3;
}
