#include "twin.h"

#ifdef TWIN
void test()
{
	for (int i = 0; i < number; i++) {
		try {
			step(i);
			continue;
		} catch (Base &) {
			caught(i);
			if (i == 1)
				continue;
			if (i == 2)
				break;
			if (i == 3)
				return;
		}
		done(i);
	}
	done(4);
}
#endif
