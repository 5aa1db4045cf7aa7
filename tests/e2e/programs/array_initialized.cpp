#include "twin.h"

#ifdef TWIN
struct Guard {
	int n;
	Guard(int n) : n(n) { step(n); }
	~Guard() { done(n); }
};

void test()
{
	Guard a[2] = {1, 2};
	step(3);
}
#endif
