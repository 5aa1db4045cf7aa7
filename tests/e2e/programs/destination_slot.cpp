#include "twin.h"

#ifdef TWIN
static SomeClass *object; // get() does not look at it

void test()
{
	int value;
	for (;;) {
		value = object->get();
		Cleanup c(1);
		if (value == 2)
			continue;
		if (value == 3)
			break;
		if (value == 4)
			return;
		step(value);
	}
	done(value);
}
#endif
