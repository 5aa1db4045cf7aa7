// A filter that resumes what cannot be: the system raises another exception, for the handlers around.
// Elsewhere the program ends with a message.
// only: msvc
// trace: e0000001 c0000025 c0000025 c0000025 returns 3
#include "seh.h"

int noncontinuable(void)
{
	__try {
		__try {
			raise_noncontinuable(0xe0000001);
			say(1);
		} __except (say_code(GetExceptionCode()), GetExceptionCode() == 0xe0000001 ? -1 : 0) {
			say(2);
		}
	} __except (say_code(GetExceptionCode()), GetExceptionCode() == 0xe0000001 ? 0 : 1) {
		say_code(GetExceptionCode());
	}
	return 3;
}
