#include "twin.h"

#ifdef TWIN
struct Guard {
	int n;
	~Guard() noexcept(false) { cleanup(n); }
};

void test()
{
	{
		Guard a[2][2] = {{{1}, {2}}, {{3}, {4}}};
		step(1);
	}
	done(0);
}
#endif
