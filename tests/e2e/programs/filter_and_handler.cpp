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
