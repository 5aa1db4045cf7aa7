#include <cstdio>

extern "C" __declspec(dllimport) int count();
extern "C" __declspec(dllimport) int level;
extern "C" void use();
extern "C" void show(const char *who, int n, int level) { printf("%s %d %d\n", who, n, level); }

int main()
{
	use();
	show("C++", count(), level);
	level = 7;
	use();
	return 0;
}
