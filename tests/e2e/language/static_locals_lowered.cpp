#include "language.h"

extern "C" {
int32_t make(int32_t n);
int32_t value(int32_t n);
}

static int throws = 2;

int32_t make(int32_t n)
{
	show("make", n);
	if (throws-- > 0)
		throw n;
	return n + 1;
}

int main()
{
	for (int32_t n = 10; n < 14; n++) {
		try {
			show("value", value(n));
		} catch (int32_t thrown) {
			show("caught", thrown);
		}
	}
	return 0;
}

#ifdef TWIN
int32_t value(int32_t n)
{
	static int32_t v = make(n);
	return v;
}
#endif
