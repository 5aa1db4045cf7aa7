#include "language.h"

extern "C" {
int32_t collatz(uint64_t n);
int32_t dense(int32_t n);
int32_t sparse(uint64_t n);
uint64_t fibonacci(int32_t n);
uint32_t gcd(uint32_t a, uint32_t b);
int32_t swaps(int32_t n);
int32_t both_edges(bool c, int32_t a, int32_t b);
int32_t recursive(int32_t n);
}

int main()
{
	for (uint64_t n : {1, 2, 3, 27, 97, 871})
		show("collatz", collatz(n));
	for (int32_t n = -6; n < 6; n++)
		show("dense", dense(n));
	for (uint64_t n : {UINT64_MAX, UINT64_C(4294967296), UINT64_C(7), UINT64_C(0), UINT64_C(4294967295)})
		show("sparse", sparse(n));
	for (int32_t n : {0, 1, 2, 10, 90})
		show("fibonacci", (int64_t)fibonacci(n));
	show("gcd", gcd(1071, 462));
	show("gcd", gcd(17, 4000000007u));
	for (int32_t n = 0; n < 4; n++)
		show("swaps", swaps(n));
	show("both_edges", both_edges(true, 3, 4) * 10 + both_edges(false, 3, 4));
	show("recursive", recursive(10));
	return 0;
}

#ifdef TWIN
int32_t collatz(uint64_t n)
{
	int32_t steps = 0;
	for (; n != 1; steps++)
		n = n & 1 ? n * 3 + 1 : n / 2;
	return steps;
}
int32_t dense(int32_t n)
{
	switch (n) {
	case 0:
		return 10;
	case 1:
	case 2:
		return 20;
	case 3:
	case -4:
		return 30;
	}
	return -1;
}
int32_t sparse(uint64_t n)
{
	return n == UINT64_MAX || n == 7 ? 1 : n == UINT64_C(4294967296) ? 2 : 0;
}
uint64_t fibonacci(int32_t n)
{
	uint64_t a = 0, b = 1;
	for (; n > 0; n--) {
		uint64_t sum = a + b;
		a = b;
		b = sum;
	}
	return a;
}
uint32_t gcd(uint32_t a, uint32_t b) { return b ? gcd(b, a % b) : a; }
int32_t swaps(int32_t n) { return n % 2 ? 21 : 12; }
int32_t both_edges(bool c, int32_t a, int32_t b) { return c ? a : b; }
int32_t recursive(int32_t n) { return n <= 1 ? 1 : n * recursive(n - 1); }
#endif
