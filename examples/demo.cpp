// The C++ around demo.cir: what `attempt` calls, and who calls it. Everything that happens is printed.
#include <cstdio>

struct Guard {
	int id;
	Guard() noexcept;
	~Guard();
};

static int guards;

Guard::Guard() noexcept : id(++guards)
{
	std::printf("    Guard %d constructed\n", id);
}

Guard::~Guard()
{
	std::printf("    Guard %d destroyed\n", id);
}

#ifdef _MSC_VER // there demo.cir's names for them are not C++'s own
#include <new>
extern "C" void _ZN5GuardC1Ev(Guard *guard) noexcept
{
	new (guard) Guard;
}

extern "C" void _ZN5GuardD1Ev(Guard *guard) noexcept
{
	guard->~Guard();
}
#endif

struct Noisy { // an exception object whose end can be seen
	~Noisy()
	{
		std::printf("    exception object destroyed\n");
	}
};

extern "C" int work(int n)
{
	if (n == 2) {
		std::printf("    work throws int 42\n");
		throw 42;
	}
	if (n == 3) {
		std::printf("    work throws a class\n");
		throw Noisy();
	}
	std::printf("    work returns %d\n", n);
	return n;
}

extern "C" void caught_int(int e) noexcept
{
	std::printf("    caught int %d\n", e);
}

extern "C" void caught_something() noexcept
{
	std::printf("    caught something else\n");
}

extern "C" int attempt(int n); // demo.cir

int main()
{
	const int want[] = {1, -42, -1};
	int wrong = 0;
	for (int n = 1; n <= 3; n++) {
		std::printf("attempt(%d)\n", n);
		int got = attempt(n);
		std::printf("    result %d\n", got);
		wrong += got != want[n - 1];
	}
	std::printf(wrong ? "something is wrong\n" : "as C++ would have it\n");
	return wrong;
}
