// The C++ around the function that frontend.c makes: what it calls, and who calls it.
#include <cstdio>

struct Log {
	int depth;
	Log() noexcept;
	~Log();
};

static int depth;

Log::Log() noexcept : depth(++::depth)
{
	std::printf("  log opened\n");
}

Log::~Log()
{
	--::depth;
	std::printf("  log closed\n");
}

extern "C" int checked(int n)
{
	if (n < 0)
		throw -n;
	if (n > 100)
		throw "too large";
	return n;
}

extern "C" int checked_sum(int a, int b); // made by frontend.c

static int call(int a, int b)
{
	std::printf("checked_sum(%d, %d)\n", a, b);
	try {
		int sum = checked_sum(a, b);
		std::printf("  gives %d\n", sum);
		return sum;
	} catch (const char *reason) {
		std::printf("  throws \"%s\"\n", reason);
		return 1000;
	}
}

int main()
{
	bool right = call(1, 2) == 3 && call(1, -7) == -7 && call(-8, 1) == -8 && call(1, 101) == 1000 && depth == 0;
	std::printf(right ? "as C++ would have it\n" : "something is wrong\n");
	return !right;
}
