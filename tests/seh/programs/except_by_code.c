// Each filter takes one code.
// trace: 2 3 e0000004 returns 5
#include "seh.h"

static void attempt(unsigned code)
{
	__try {
		__try {
			raise_code(code);
			say(1);
		} __except (GetExceptionCode() == 0xe0000002) {
			say(2);
		}
	} __except (GetExceptionCode() == 0xe0000003) {
		say(3);
	}
}

int except_by_code(void)
{
	__try {
		attempt(0xe0000002);
		attempt(0xe0000003);
		attempt(0xe0000004);
		say(4);
	} __except (1) {
		say_code(GetExceptionCode());
	}
	return 5;
}
