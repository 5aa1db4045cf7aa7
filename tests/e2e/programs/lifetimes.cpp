#include "twin.h"

#ifdef TWIN
struct Guard {
	int n;
	~Guard() { cleanup(n); }
};

static void once()
{
	try {
		Guard guard{1};
		step(1);
	} catch (int i) {
		saw_int(i);
		step(2);
		return;
	} catch (Base b) {
		saw_base(&b);
		step(3);
	} catch (Base *p) {
		saw_base(p);
	}
}

void test()
{
	try {
		int n = 2;
		while (int c = n--)
			once();
	} catch (...) {
		caught(9);
	}
	done(0);
}
#endif
