#include "language.h"

#include <cstdarg>

extern "C" {
int64_t sum_ints(int32_t n, ...);
double read_list(va_list list);
double read_twice(int32_t n, ...);
double call_cxx(int32_t n, double d);

double cxx_read(int32_t n, ...)
{
	va_list list;
	va_start(list, n);
	double sum = n;
	sum = sum * 10 + va_arg(list, double);
	sum = sum * 10 + (double)va_arg(list, int64_t);
	sum = sum * 10 + va_arg(list, int32_t);
	sum = sum * 10 + va_arg(list, double);
	sum = sum * 10 + va_arg(list, double);
	va_end(list);
	return sum;
}
}

static double hand_on(int32_t n, ...)
{
	va_list list;
	va_start(list, n);
	double result = read_list(list);
	va_end(list);
	return result;
}

int main()
{
	show("sum_ints", sum_ints(0));
	show("sum_ints", sum_ints(3, 1, 2, 3));
	show("sum_ints", sum_ints(9, 1, 2, 3, 4, 5, 6, -7, 8, 9));
	show_double("read_list", hand_on(0, 1, 2.5, (__int128)3 << 66, INT64_C(-4)));
	show_double("read_twice", read_twice(0, 5, 6.5, (__int128)7, INT64_C(8)));
	show_double("call_cxx", call_cxx(-5, 1.125));
	return 0;
}

#ifdef TWIN
int64_t sum_ints(int32_t n, ...)
{
	va_list list;
	va_start(list, n);
	int64_t sum = 0;
	while (n-- > 0)
		sum = sum * 10 + va_arg(list, int32_t);
	va_end(list);
	return sum;
}
double read_list(va_list list)
{
	double sum = va_arg(list, int32_t);
	sum = sum * 10 + va_arg(list, double);
	sum = sum * 10 + (double)va_arg(list, __int128);
	return sum * 10 + (double)va_arg(list, int64_t);
}
double read_twice(int32_t n, ...)
{
	va_list list;
	va_start(list, n);
	double once = read_list(list);
	va_end(list);
	return once + once;
}
double call_cxx(int32_t n, double d) { return cxx_read(n, d, (int64_t)n, n, d, d); }
#endif
