/* Runs a program, of which nothing may escape. */
#include "seh.h"

int guarded(int (*program)(void))
{
	__try {
		return program();
	} __except (1) {
		say_code(GetExceptionCode());
	}
	return -1;
}
