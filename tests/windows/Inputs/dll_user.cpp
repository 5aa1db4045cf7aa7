#include <cstdio>

extern "C" __declspec(dllimport) void guarded(void (*f)());
extern "C" __declspec(dllimport) void catching(void (*f)());
extern "C" __declspec(dllimport) void throwing();

int main()
{
	try {
		guarded([] { throw 2.5; });
	} catch (double d) {
		printf("caught %g\n", d);
	}
	catching([] { throw 1; });
	try {
		catching([] { throw "text"; });
	} catch (const char *text) {
		puts(text);
	}
	try {
		throwing();
	} catch (int n) {
		printf("caught %d\n", n);
	}
	catching(throwing);
	return 0;
}
