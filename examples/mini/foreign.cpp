// The C++ of foreign.mini.
#include <cstdio>

struct Guard {
	long long number;
	~Guard() { std::printf("~Guard %lld\n", number); }
};

extern "C" void cpp_throw(long long number);
extern "C" void cpp_throw(long long number)
{
	Guard guard{number};
	throw static_cast<int>(number);
}
