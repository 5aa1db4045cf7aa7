#include <cstdio>

extern "C" {
void cleans_up();

int throws;

void cleanup()
{
	std::printf("cleanup\n");
	if (throws)
		throw 2.5f;
}
}

struct Scope {
	~Scope()
	{
		std::printf("scope\n");
	}
};

__attribute__((noinline)) static void inner()
{
	try {
		cleans_up();
	} catch (float) {
		std::printf("float\n");
	}
}

/* The frame in which the search for the first exception ends. */
static void middle()
{
	try {
		Scope scope;
		inner();
	} catch (...) {
		std::printf("any\n");
	}
	std::printf("behind\n");
	throw 1;
}

int main()
{
	for (throws = 0; throws < 2; throws++)
		try {
			middle();
		} catch (int) {
			std::printf("int\n");
		}
}
