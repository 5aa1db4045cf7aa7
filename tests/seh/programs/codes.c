// Codes of all severities.
// trace: 00000001 00000001 40010005 40010005 80000003 80000003 c0000005 c0000005 c0000094 c0000094 returns 1
#include "seh.h"

static void attempt(unsigned code)
{
	__try {
		raise_code(code);
	} __except (say_code(GetExceptionCode()), 1) {
		say_code(GetExceptionCode());
	}
}

int codes(void)
{
	attempt(0x00000001);
	attempt(0x40010005);
	attempt(0x80000003);
	attempt(0xc0000005);
	attempt(0xc0000094);
	return 1;
}
