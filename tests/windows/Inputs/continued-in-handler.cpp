#include <cstdio>

extern "C" {
void asks();
void throws();

/* Execution goes on, and the one after that is handed on. */
int filter()
{
	static int asked;
	std::printf("filter\n");
	return asked++ ? 0 : -1;
}
}

struct Scope {
	~Scope()
	{
		std::printf("scope\n");
	}
};

extern "C" __attribute__((noinline)) void middle()
{
	try {
		throw 1L;
	} catch (long) {
		std::printf("handler\n");
		try {
			Scope scope;
			throws();
			std::printf("goes on\n");
		} catch (int) {
			std::printf("wrong\n");
		}
		std::printf("outside\n");
		throw 1;
	}
}

int main()
{
	try {
		asks();
	} catch (int) {
		std::printf("int\n");
	}
}
