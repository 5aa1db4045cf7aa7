// __leave out of a loop, which goes on after an __except and not after a __leave.
// trace: 00000001 00000002 00000003 3 0 returns 1
#include "seh.h"

int leave_loop(void)
{
	int i = 0;
	__try {
		while (yes()) {
			__try {
				i = i + 1;
				raise_code(i);
			} __except (1) {
				say_code(GetExceptionCode());
				if (i == 3)
					__leave;
			}
		}
	} __finally {
		say(i);
		say(AbnormalTermination());
	}
	return 1;
}
