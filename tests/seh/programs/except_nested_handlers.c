// A try in a handler: the code of the outer handler is still its own afterwards.
// trace: e0000001 e0000002 1 returns 2
#include "seh.h"

int except_nested_handlers(void)
{
	__try {
		raise_code(0xe0000001);
	} __except (1) {
		say_code(GetExceptionCode());
		__try {
			raise_code(0xe0000002);
		} __except (1) {
			say_code(GetExceptionCode());
		}
		say(1);
	}
	return 2;
}
