// clang's filter resumes what was raised here; a filter here what was raised behind frames of clang's.
// There is no __try elsewhere.
// only: msvc
// trace: 75 1 0 72 3 1 0 70 2 returns 5
#include "seh.h"

static void raises(void)
{
	__try {
		raise_code(0xe0000001);
		say(1);
	} __finally {
		say(AbnormalTermination());
	}
}

static void through_clang(void)
{
	through(raises);
}

int interop_resumed(void)
{
	resumed(raises);
	__try {
		passed(through_clang);
		say(2);
	} __except (say(3), -1) {
		say(4);
	}
	return 5;
}
