// A filter reads and changes variables of its function; body, handler and what follows see it.
// trace: 10 13 4 11 returns 28
#include "seh.h"

int filter_locals(void)
{
	int a = 1, b = 2, c = 3;
	__try {
		a = 10;
		raise_code(0xe0000001);
	} __except (b = a + c, c = c + 1, say(a), 1) {
		say(b);
		say(c);
		a = a + 1;
	}
	say(a);
	return a + b + c;
}
