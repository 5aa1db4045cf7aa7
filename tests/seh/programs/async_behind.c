// What faults behind a `__try` of its function is not shown to the filter of that, though code of its body stands further on.
// trace: 1 9 c0000005 returns 5
#include "seh.h"

static __attribute__((noinline)) void raise_if(int raises)
{
	if (raises)
		raise_code(0xe0000002);
}

static __attribute__((noinline)) int attempt(unsigned address, int raises)
{
	__try {
		raise_if(raises);
		say(1);
		if (raises) {
			raise_code(0xe0000001);
			__builtin_unreachable();
		}
	} __except (say(2), 1) {
		say(3);
		return 3;
	}
	return READ(address);
}

int async_behind(void)
{
	__try {
		say(attempt(8, yes() - 1));
	} __except (say(9), 1) {
		say_code(GetExceptionCode());
	}
	return 5;
}
