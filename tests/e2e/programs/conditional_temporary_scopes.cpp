#ifdef TWIN
#include "e2e.h"

namespace {
struct Temporary {
	int n;
	explicit Temporary(int n) : n(n) { step(n); }
	~Temporary() noexcept(false) { cleanup(n); }
};
} // namespace

static bool wanted(int bit)
{
	return number >> bit & 1;
}

void test()
{
	(wanted(0) ? (void)Temporary(1) : (void)0), Temporary(2), (wanted(1) ? (void)Temporary(3) : (void)0), Temporary(4),
	    (wanted(2) ? (void)Temporary(5) : (void)0), (wanted(3) ? (void)Temporary(6) : (void)0), step(7);
	done(0);
}
#endif
