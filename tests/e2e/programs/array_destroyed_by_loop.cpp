#include "twin.h"

#ifdef TWIN
struct Guard {
	int n;
	~Guard() noexcept(false) { cleanup(n); }
};

void test()
{
	{
		Guard a[3] = {{1}, {2}, {3}};
		step(1);
	}
	done(0);
}
#endif
