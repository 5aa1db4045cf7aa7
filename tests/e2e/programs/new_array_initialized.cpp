#include "twin.h"

#ifdef TWIN
extern "C" void *malloc(decltype(sizeof 0)) noexcept;

/* No operator delete fits it: nothing frees the memory when a constructor throws. */
inline void *operator new[](decltype(sizeof 0), void *at) noexcept
{
	return at;
}

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
	new (malloc(8)) Guard[2]{{1}, {2, Temporary()}};
	done(0);
}
#endif
