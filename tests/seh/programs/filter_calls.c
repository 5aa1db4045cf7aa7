// A filter calls a function that raises and catches by itself.
// trace: 1 e0000002 e0000002 e0000001 returns 2
#include "seh.h"

static int decide(int n)
{
	int answer = 0;
	__try {
		say(n);
		raise_code(0xe0000002);
	} __except (say_code(GetExceptionCode()), 1) {
		say_code(GetExceptionCode());
		answer = 1;
	}
	return answer;
}

int filter_calls(void)
{
	__try {
		raise_code(0xe0000001);
	} __except (decide(1)) {
		say_code(GetExceptionCode());
	}
	return 2;
}
