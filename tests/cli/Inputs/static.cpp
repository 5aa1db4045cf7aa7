// What an object of a C++ compiler expects of the loader: exit handlers, and the handle that they are registered with.
#include <cstdio>
#include <cstdlib>

struct Noted {
	~Noted() { std::puts("static"); }
};

inline int shared = 40; // unique in the process

extern "C" int get()
{
	static Noted noted;
	std::atexit([] { std::puts("exit handler"); });
	return shared + 2;
}
