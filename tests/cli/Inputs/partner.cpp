// The C++ side of exceptions that pass between a module and a loaded library.
#include <cstdio>

extern "C" void throw_five()
{
	throw 5;
}

extern "C" int catch_in_library(void (*thrower)())
{
	try {
		thrower();
	} catch (int n) {
		std::printf("library: %d\n", n);
		return n;
	}
	return 0;
}
