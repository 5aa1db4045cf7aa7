// Three tries one after the other, the second of which takes nothing.
// trace: 1 returns 101
#include "seh.h"

int tries_in_row(void)
{
	int n = 0;
	__try {
		raise_code(0xe0000001);
	} __except (1) {
		n = n + 1;
	}
	__try {
		say(n);
		yes();
	} __except (1) {
		n = n + 10;
	}
	__try {
		raise_code(0xe0000003);
	} __except (1) {
		n = n + 100;
	}
	return n;
}
