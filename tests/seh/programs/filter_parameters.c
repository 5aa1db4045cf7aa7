// A filter sees the parameters of its function, in each call its own.
// trace: 0 1 2 102 4 0 1 2 3 103 3 0 100 3 returns 5
#include "seh.h"

static int recursive(int n, int taken)
{
	__try {
		if (n == 0)
			raise_code(0xe0000001);
		recursive(n - 1, taken);
	} __except (say(n), n == taken) {
		say(100 + n);
	}
	return n;
}

int filter_parameters(void)
{
	say(recursive(4, 2));
	say(recursive(3, 3));
	say(recursive(3, 0));
	return 5;
}
