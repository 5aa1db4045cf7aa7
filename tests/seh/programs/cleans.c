// docs/seh.md: __finally, AbnormalTermination, __leave.
// trace: 0 returns 0
#include "seh.h"

int cleans(void)
{
	__try {
		if (yes())
			__leave;
		raise_code(0xe0000001);
	} __finally {
		say(AbnormalTermination());
	}
	return 0;
}
