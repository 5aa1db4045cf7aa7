// A termination handler raises while unwinding, and the filter that is asked about that raises, too.
// trace: e0000001 1 e0000002 e0000003 e0000003 e0000003 returns 3
#include "seh.h"

static int refuse(unsigned code)
{
	if (code == 0xe0000002)
		raise_code(0xe0000003);
	return code == 0xe0000001;
}

int filter_raises_while_unwinding(void)
{
	__try {
		__try {
			__try {
				raise_code(0xe0000001);
			} __finally {
				say(1);
				raise_code(0xe0000002);
			}
		} __except (say_code(GetExceptionCode()), refuse(GetExceptionCode())) {
			say(2);
		}
	} __except (say_code(GetExceptionCode()), GetExceptionCode() == 0xe0000003) {
		say_code(GetExceptionCode());
	}
	return 3;
}
