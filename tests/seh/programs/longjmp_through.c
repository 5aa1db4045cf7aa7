// longjmp() of C runs the termination handlers that it leaves, and no filter.
// On ELF it runs nothing.
// only: msvc
// trace: 1 78 returns 5
#include "seh.h"

static void leaves(void)
{
	__try {
		__try {
			jump_out();
		} __finally {
			say(AbnormalTermination());
		}
	} __except (say(2), 1) {
		say(3);
	}
	say(4);
}

int longjmp_through(void)
{
	jumped(leaves);
	return 5;
}
