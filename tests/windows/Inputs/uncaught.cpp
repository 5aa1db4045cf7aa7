#include <cstdio>
#include <cstdlib>
#include <exception>

struct Guard {
	~Guard() { puts("unwound"); }
};

namespace app {
template <class T> struct Error {
	T value;
};
} // namespace app

int main(int argc, char **argv)
{
	Guard guard;
	switch (argc > 1 ? argv[1][0] : '?') {
	case 'i':
		throw 7;
	case 'c':
		throw app::Error<int *>();
	case 'h':
		std::set_terminate([] {
			puts("handler");
			fflush(stdout);
			_exit(9);
		});
		throw 7;
	case 'n':
		[]() noexcept { throw 8; }();
	}
	puts("nothing thrown");
	return 0;
}
