#include "language.h"

extern "C" {
double mixed(int8_t a, double b, int64_t c, float d, bool e, int32_t f, int64_t g, int16_t h, uint8_t i, int64_t j);
double mixed_cxx(int8_t a, double b, int64_t c, float d, bool e, int32_t f, int64_t g, int16_t h, uint8_t i, int64_t j);
void sort(int32_t *p, uint64_t n);
int32_t print(char *to, uint64_t size, int32_t i, double x, const char *text, int64_t l);
__int128 wide(__int128 a, __int128 b);
long double long_double(long double a, int32_t n);
bool negate_bool(bool a);
int8_t narrow_result(int32_t a);
int32_t tail(int32_t a);
}

double mixed_cxx(int8_t a, double b, int64_t c, float d, bool e, int32_t f, int64_t g, int16_t h, uint8_t i, int64_t j)
{
	printf("%d %g %ld %g %d %d %ld %d %d %ld\n", a, b, (long)c, d, e, f, (long)g, h, i, (long)j);
	return a + b + (double)c + d + e + f + (double)g + h + i + (double)j;
}

int main()
{
	show_double("mixed", mixed(-1, 2.5, -3, 4.5f, true, -6, 7, -8, 250, -10));
	int32_t numbers[] = {3, 1, 4, 1, 5, 9, 2, 6};
	sort(numbers, 8);
	for (int32_t value : numbers)
		show("sort", value);
	char text[64];
	show("print", print(text, sizeof(text), -5, 1.25, "word", INT64_MIN));
	puts(text);
	__int128 product = wide((__int128)INT64_MAX * 4, -3);
	show("wide", (int64_t)(product >> 64));
	show("wide", (int64_t)product);
	show_double("long_double", (double)long_double(1.5L, -3));
	show("negate_bool", negate_bool(true) * 2 + negate_bool(false));
	show("narrow_result", narrow_result(200) + 1000);
	show("tail", tail(21));
	return 0;
}

#ifdef TWIN
#include <cstdlib>

double mixed(int8_t a, double b, int64_t c, float d, bool e, int32_t f, int64_t g, int16_t h, uint8_t i, int64_t j)
{
	return mixed_cxx(a, b, c, d, e, f, g, h, i, j) + b;
}
void sort(int32_t *p, uint64_t n)
{
	qsort(p, n, 4, [](const void *a, const void *b) { return *(const int32_t *)b - *(const int32_t *)a; });
}
int32_t print(char *to, uint64_t size, int32_t i, double x, const char *text, int64_t l)
{
	return snprintf(to, size, "%d %.2f %s %ld", i, x, text, (long)l);
}
__int128 wide(__int128 a, __int128 b) { return a * b; }
long double long_double(long double a, int32_t n) { return a * n; }
bool negate_bool(bool a) { return !a; }
int8_t narrow_result(int32_t a) { return (int8_t)a; }
int32_t tail(int32_t a) { return a + a; }
#endif
