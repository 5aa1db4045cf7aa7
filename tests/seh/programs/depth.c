// Everything in everything: a handler in a termination handler in a handler, and out again.
// trace: 1 0000000b 20 0000001e 31 0000000b 40 2 41 00000002 returns 50
#include "seh.h"

static void inner(int n)
{
	__try {
		__try {
			raise_code(n);
		} __except (say(n), n == 1) {
			__try {
				__try {
					raise_code(n + 10);
				} __finally {
					say(20);
					__try {
						raise_code(30);
					} __except (say_code(GetExceptionCode()), 1) {
						say(31);
					}
				}
			} __except (say_code(GetExceptionCode()), 1) {
				say_code(GetExceptionCode());
			}
		}
	} __finally {
		say(40 + AbnormalTermination());
	}
}

int depth(void)
{
	inner(1);
	__try {
		inner(2);
	} __except (1) {
		say_code(GetExceptionCode());
	}
	return 50;
}
