#include "twin.h"

#ifdef TWIN
void test()
{
	for (int i = 0; i == 0; i++) {
		Cleanup all(1);
		EhCleanup eh(2);
		step(number);
		if (number == 5)
			throw 5;
		cleanup(3);
		eh.leave();
		if (number == 1)
			continue;
		if (number == 2)
			goto after;
		if (number == 3)
			return;
		if (number == 4)
			goto out;
	}
	step(99);
after:
	done(0);
	return;
out:
	done(4);
}
#endif
