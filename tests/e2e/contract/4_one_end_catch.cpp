#include "twin.h"

#ifdef TWIN
void test()
{
	for (;;) {
		try {
			step(1);
			break;
		} catch (...) {
			caught(number);
			if (number == 0)
				break;
			if (number == 1)
				continue;
			if (number == 2)
				return;
			if (number == 3)
				goto label;
			step(number);
			break;
		}
	}
	done(0);
	return;
label:
	done(3);
}
#endif
