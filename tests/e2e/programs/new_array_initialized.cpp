#include "twin.h"

#ifdef TWIN
struct Temporary {
	Temporary() { step(3); }
	~Temporary() noexcept(false) { cleanup(3); }
};

struct Guard {
	int n;
	Guard(int n) : n(n) { step(n); }
	Guard(int n, const Temporary &) : n(n) { step(n); }
	~Guard() { done(n); }
};

void test()
{
	new Guard[2]{{1}, {2, Temporary()}};
	done(0);
}
#endif
