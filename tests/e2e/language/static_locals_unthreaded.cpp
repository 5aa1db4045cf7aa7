#include "language.h"

extern "C" {
int32_t make(int32_t n);
int32_t value(int32_t n);
int32_t shared(int32_t n);
}

static int calls;

int32_t make(int32_t n)
{
	show("make", n);
	if (++calls != 2 && calls < 5)
		throw n;
	return n + 1;
}

int main()
{
	for (int32_t n = 10; n < 16; n++) {
		try {
			show("shared", shared(n));
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

int32_t shared(int32_t n)
{
	static int32_t v = make(value(n));
	return v;
}
#endif
