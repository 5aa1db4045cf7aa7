#include "e2e.h"
// Fills the array with 1, 2, …, n and gives the sum; writes every element, so that a wrong address is felt.
extern "C" int fill(int *array, int n)
{
	event("fill %d", n);
	int sum = 0;
	for (int i = 0; i < n; i++)
		array[i] = i + 1;
	point("fill");
	for (int i = 0; i < n; i++)
		sum += array[i];
	return sum;
}

extern "C" void many(int a, int b, int c, int d, int e, int f, int g, int h, int i) noexcept
{
	event("many %d %d %d %d %d %d %d %d %d", a, b, c, d, e, f, g, h, i);
}
