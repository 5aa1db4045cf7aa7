// docs/seh.md: __try, __except.
// trace: e0000001 returns 2
#include "seh.h"

int catches(void)
{
	int n = 1;
	__try {
		raise_code(0xe0000001);
	} __except (n++, GetExceptionCode() == 0xe0000001) {
		say_code(GetExceptionCode());
	}
	return n;
}
