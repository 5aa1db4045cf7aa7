// Raised here, through a termination handler of clang's, taken here; and through a filter of clang's that passes on.
// There is no __try elsewhere.
// only: msvc
// trace: 72 3 1 71 e0000001 returns 4
#include "seh.h"

static void raises(void)
{
	__try {
		raise_code(0xe0000001);
	} __finally {
		say(AbnormalTermination());
	}
}

static void through_clang(void)
{
	through(raises);
	say(2);
}

int interop_through(void)
{
	__try {
		passed(through_clang);
	} __except (say(3), 1) {
		say_code(GetExceptionCode());
	}
	return 4;
}
