// docs/seh.md: a filter that lets execution go on.
// trace: 1 returns 0
#include "seh.h"

int goes_on(void)
{
	__try {
		raise_code(0xe0000001);
		say(1);
	} __except (-1) {
		say(2);
	}
	return 0;
}
