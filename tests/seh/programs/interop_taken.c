// Raised here, through termination handlers here, taken by clang's __except; then the same the other way round.
// There is no __try elsewhere.
// only: msvc
// trace: 74 1 e0000001 74 1 c0000094 2 1 71 e0000001 returns 3
#include "seh.h"

static void raises(void)
{
	__try {
		raise_code(0xe0000001);
	} __finally {
		say(AbnormalTermination());
	}
}

static void faults(void)
{
	__try {
		say(divide(1, 0));
	} __finally {
		say(AbnormalTermination());
	}
}

static void takes(void)
{
	__try {
		through(raises);
	} __except (say(2), 1) {
		say_code(GetExceptionCode());
	}
}

int interop_taken(void)
{
	taken(raises);
	taken(faults);
	taken(takes);
	return 3;
}
