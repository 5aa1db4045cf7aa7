#include "twin.h"

#include <cstdio>

extern "C" int value(int n)
{
	char name[16];
	event("value %d", n);
	snprintf(name, sizeof(name), "value%d", n);
	point(name);
	return n;
}

#ifdef TWIN
static int compute(int &seen)
{
	seen = 0;
	int a = value(1);
	seen = a;
	int b = value(2);
	seen = a + b;
	int ab = a + b;
	int c = value(ab);
	int v = c + ab + a, shown = 0;
	saw_int(v);
	for (int left = number; left > 0; left--) {
		seen = v;
		v = value(v) + v;
		shown = v;
	}
	return shown;
}

void test()
{
	int seen, result;
	try {
		result = compute(seen);
	} catch (...) {
		caught(seen);
		result = -1;
	}
	saw_int(result);
}
#endif
