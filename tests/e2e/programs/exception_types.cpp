#include "e2e.h"

struct Error {
	int code;
};

namespace my {
struct IOError : Error {
	int more;
};
} // namespace my

extern "C" void release(void *) noexcept
{
	event("release");
}

// Catches what f throws, and throws it on; or throws an exception of its own.
extern "C" void in_cxx(int own, void (*f)())
{
	if (own) {
		my::IOError error;
		error.code = 8;
		error.more = 0;
		throw error;
	}
	try {
		f();
	} catch (const Error &error) {
		saw_int(error.code);
		throw;
	}
}
