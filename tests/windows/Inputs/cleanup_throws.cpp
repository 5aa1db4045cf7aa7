#include <cstdio>
#include <cstdlib>
#include <exception>

struct Throws {
	~Throws() noexcept(false);
};

__attribute__((noinline)) Throws::~Throws() noexcept(false)
{
	static bool again;
	puts(again ? "destructor runs again" : "destructor throws");
	if (!again) {
		again = true;
		throw 2;
	}
}

__attribute__((noinline)) static void work()
{
	Throws object;
	throw 1;
}

int main()
{
	std::set_terminate([] {
		puts("terminate");
		fflush(stdout);
		_exit(0);
	});
	try {
		work();
	} catch (int n) {
		printf("caught %d\n", n);
	}
	return 0;
}
