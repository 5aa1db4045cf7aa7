#include "twin.h"

#include <exception>

static void on_unexpected()
{
	event("unexpected");
	point("unexpected");
	std::terminate();
}

extern "C" void install_unexpected()
{
	std::set_unexpected(on_unexpected);
}

#ifdef TWIN
// clang++ has the fault that this is about, too.
__attribute__((noinline)) static void inner() throw(int, float)
{
	Cleanup c(1);
	step(1);
}

static void guarded() throw(float)
{
	Cleanup c(2);
	inner();
}

void test()
{
	install_unexpected();
	guarded();
}
#endif
