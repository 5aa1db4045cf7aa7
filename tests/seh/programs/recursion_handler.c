// A handler calls its function again, three handlers deep; each has its own code and variables.
// trace: 00000001 00000002 00000003 00000003 00000002 00000001 returns 306
#include "seh.h"

static int descend(int n)
{
	int sum = n;
	__try {
		raise_code(n);
	} __except (sum = sum + 100, 1) {
		say_code(GetExceptionCode());
		if (n < 3)
			sum = sum + descend(n + 1);
		say_code(GetExceptionCode());
	}
	return sum;
}

int recursion_handler(void)
{
	return descend(1);
}
