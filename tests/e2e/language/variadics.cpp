#include "language.h"

#include <cstdarg>

extern "C" {
int64_t sum_ints(int32_t n, ...);
double read_list(const char *format, va_list list);
double read_all(const char *format, ...);
double call_cxx(int32_t n, double d);
double cxx_read(const char *format, ...);
}

static double read_here(const char *format, va_list list)
{
	double sum = 0;
	for (; *format; format++) {
		sum *= 2;
		switch (*format) {
		case 'i':
			sum += va_arg(list, int32_t);
			break;
		case 'l':
			sum += (double)va_arg(list, int64_t);
			break;
		case 'd':
			sum += va_arg(list, double);
			break;
		case 'p':
			sum += (double)*va_arg(list, int64_t *);
			break;
		case 'L':
			sum += (double)va_arg(list, long double);
			break;
		case 'x':
			sum += (double)va_arg(list, __int128);
			break;
		}
	}
	return sum;
}

double cxx_read(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	double result = read_list(format, list); // circ's, with a list of C++
	va_end(list);
	return result;
}

int main()
{
	int64_t number = 77;
	show("sum_ints", sum_ints(0));
	show("sum_ints", sum_ints(3, 1, 2, 3));
	show("sum_ints", sum_ints(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, -1, 2));
	show_double("read_all", read_all("idlp", 1, 2.5, INT64_C(3), &number));
	show_double("read_all", read_all("dddddddddddi", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12));
	show_double("read_all", read_all("iLiLixlx", 1, 2.25L, 3, 4.5L, 5, (__int128)6 << 70, INT64_C(7), (__int128)-8));
	show_double("read_all", read_all("iiiiixixi", 1, 2, 3, 4, 5, (__int128)6, 7, (__int128)8, 9));
	show_double("cxx_read", cxx_read("idlpLx", 1, 2.5, INT64_C(3), &number, 4.75L, (__int128)9));
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
double read_list(const char *format, va_list list) { return read_here(format, list); }
double read_all(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	double result = read_here(format, list);
	va_end(list);
	return result;
}
double call_cxx(int32_t n, double d)
{
	return cxx_read("idlLdxid", n, d, (int64_t)n, (long double)d, d, (__int128)n, n, d);
}
#endif
