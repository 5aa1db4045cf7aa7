#ifdef TWIN
#include "e2e.h"

namespace {
struct Temporary {
	int n;
	explicit Temporary(int n) : n(n) { step(n); }
	~Temporary() noexcept(false) { cleanup(n); }
};
} // namespace

extern "C" [[gnu::noinline]] void expression(int wanted)
{
	(wanted & 1 ? (void)Temporary(1) : void()), (wanted & 2 ? (void)Temporary(2) : void()),
	    (wanted & 4 ? (void)Temporary(3) : void()), step(4);
}

void test()
{
	try {
		expression(number);
	} catch (...) {
		caught(1);
	}
	done(0);
}
#endif
