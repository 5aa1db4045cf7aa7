#ifdef TWIN
#include "e2e.h"

namespace {
struct Temporary {
	int n;
	explicit Temporary(int n) : n(n) { step(n); }
	~Temporary() noexcept(false) { cleanup(n); }
	bool is_zero() const { return number == 0; }
};
} // namespace

extern "C" [[gnu::noinline]] void expressions()
{
	Temporary(1).is_zero() ? void() : (Temporary(2), step(3));
	(void)(Temporary(4).is_zero() || Temporary(5).is_zero());
}

void test()
{
	try {
		expressions();
	} catch (...) {
		caught(1);
	}
	done(0);
}
#endif
