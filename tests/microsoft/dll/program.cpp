extern "C" int printf(const char *format, ...);

struct Base {
	int tag;
};
struct Mine : Base {
	int more;
};

extern "C" __declspec(dllimport) void throw_in_dll(int n);
extern "C" __declspec(dllimport) int catch_in_dll(void (*f)(int), int n);

static void throw_mine(int n)
{
	Mine mine;
	mine.tag = n;
	throw mine;
}

static void throw_int(int n)
{
	throw n;
}

int main()
{
	try {
		throw_in_dll(5);
	} catch (Base &base) {
		printf("the program caught Base %d\n", base.tag);
	}
	printf("the DLL caught Base %d\n", catch_in_dll(throw_mine, 6));
	try {
		catch_in_dll(throw_int, 7);
	} catch (int n) {
		printf("through the DLL: int %d\n", n);
	}
}
