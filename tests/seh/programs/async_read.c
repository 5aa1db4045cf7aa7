// A read at an address that is nobody's, in the function of the __try; what was computed before is seen.
// trace: 2 c0000005 2 0 c0000005 returns 2
#include "seh.h"

int async_read(void)
{
	int n = 1, seen = 0;
	__try {
		n = 2;
		seen = READ(8);
		n = 3;
	} __except (say(n), say_code(GetExceptionCode()), 1) {
		say(n);
		say(seen);
		say_code(GetExceptionCode());
	}
	return n;
}
