// The filter takes it; filter and handler know the code.
// trace: 1 2 e0000001 4 e0000001 5 returns 6
#include "seh.h"

int except_taken(void)
{
	say(1);
	__try {
		say(2);
		raise_code(0xe0000001);
		say(3);
	} __except (say_code(GetExceptionCode()), 1) {
		say(4);
		say_code(GetExceptionCode());
	}
	say(5);
	return 6;
}
