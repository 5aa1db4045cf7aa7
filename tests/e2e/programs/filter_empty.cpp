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
static void limited() throw()
{
	step(1);
	done(0);
}

void test()
{
	install_unexpected();
	limited();
}
#endif
