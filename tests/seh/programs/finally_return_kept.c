// The value of a return is computed before the termination handler runs.
// trace: 2 returns 1
#include "seh.h"

static int kept(void)
{
	int n = 1;
	__try {
		if (yes())
			return n;
	} __finally {
		n = 2;
		say(n);
	}
	return n;
}

int finally_return_kept(void)
{
	return kept();
}
