// Values of the function outlive the unwinding, whether a filter sees them or not.
// trace: 26 8 23 returns 66
#include "seh.h"

static int work(int a, int b, int c, int d)
{
	int e = a * b, f = c * d, g = e + f, seen = 0;
	__try {
		raise_code(0xe0000001);
		say(0);
	} __except (seen = g, 1) {
		say(seen);
		say(a + e);
	}
	say(b + f);
	return a + b + c + d + e + f + g;
}

int values_kept(void)
{
	return work(yes() + 1, yes() + 2, yes() + 3, yes() + 4);
}
