// The end of the body: the termination handler runs, and knows that nothing was abnormal.
// trace: 1 2 0 returns 3
#include "seh.h"

int finally_normal(void)
{
	__try {
		say(1);
		yes();
	} __finally {
		say(2);
		say(AbnormalTermination());
	}
	return 3;
}
