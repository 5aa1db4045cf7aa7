#include "e2e.h"

#include <cstdarg>

extern "C" int sum(int n, ...)
{
	event("sum %d", n);
	point("sum");
	va_list arguments;
	va_start(arguments, n);
	double total = va_arg(arguments, double);
	total += va_arg(arguments, long);
	total += va_arg(arguments, double);
	va_end(arguments);
	return (int)total;
}
