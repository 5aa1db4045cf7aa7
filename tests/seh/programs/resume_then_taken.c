// A filter resumes twice, and takes the third exception.
// trace: 1 2 e0000003 returns 3
#include "seh.h"

int resume_then_taken(void)
{
	int asked = 0;
	__try {
		raise_code(0xe0000001);
		say(asked);
		raise_code(0xe0000002);
		say(asked);
		raise_code(0xe0000003);
		say(asked);
	} __except (asked = asked + 1, asked < 3 ? -1 : 1) {
		say_code(GetExceptionCode());
	}
	return asked;
}
