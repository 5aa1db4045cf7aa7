#include "language.h"

extern "C" {
int32_t into(int32_t count);
void keep(int32_t *at, int32_t value) { *at = value; }
}

int main()
{
	for (int32_t n : {0, 1, 2, 5})
		show("into", into(n));
	return 0;
}

#ifdef TWIN
int32_t into(int32_t count)
{
	int32_t sum = 0;
	{
		int32_t x;
		keep(&x, 100);
	again:
		int32_t y;
		keep(&x, count);
		keep(&y, 2);
		sum += x * y;
	}
	if (--count > 0)
		goto again;
	return sum;
}
#endif
