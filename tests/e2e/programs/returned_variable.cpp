#include "twin.h"

#ifdef TWIN
struct Result {
	int n;
	explicit Result(int n) noexcept : n(n) {}
	Result(const Result &other);
	~Result() { done(n); }
};

struct Guard {
	int n;
	~Guard() noexcept(false) { cleanup(n); }
};

static Result make()
{
	Result r(1);
	Guard guard{2};
	if (number)
		return r;
	step(3);
	return r;
}

void test()
{
	Result r = make();
	step(4);
}
#endif
