// An exception of a language (cir.throw) goes through clang's __finally, is taken by clang's __except, resumed by clang's filter, and
// taken here afterwards. In C it is one with the code of C++'s, which exceptions of circ's runtime have on windows-msvc.
// There is no __try elsewhere.
// only: msvc
// trace: 74 3 71 e06d7363 75 1 2 70 4 74 3 e06d7363 72 5 3 71 6 returns 7
#include "seh.h"

static void throws(void)
{
	__try {
		raise_code(0xe06d7363);
		say(1);
	} __finally {
		say(2 + AbnormalTermination());
	}
}

static void through_clang(void)
{
	through(throws);
	say(4);
}

int interop_own(void)
{
	taken(through_clang);
	resumed(through_clang);
	taken(throws);
	__try {
		passed(through_clang);
	} __except (say(5), 1) {
		say(6);
	}
	return 7;
}
