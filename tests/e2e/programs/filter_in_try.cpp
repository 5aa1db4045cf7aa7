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
__attribute__((noinline)) static void limited() throw(int, float)
{
	step(1);
}

void test()
{
	install_unexpected();
	try {
		limited();
	} catch (int) {
		caught(1);
	}
	done(0);
}
#endif
