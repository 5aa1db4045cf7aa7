#include <cstdio>

extern "C" int wmain(int argc, wchar_t **argv)
{
	printf("wmain %d", argc);
	for (const wchar_t *c = argv[1]; *c; c++)
		printf(" %x", *c);
	puts("");
	return 6;
}
