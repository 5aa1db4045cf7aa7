#include "language.h"

extern "C" {
double cir_wide_max(const long double *x, const long double *y);
}

int main()
{
	const double values[] = {0.0, -0.0, 0.5, -1.5, 2.5, 10.0, 1e300, INFINITY, -INFINITY, NAN};
	for (double x : values) {
		for (double y : values) {
			long double a = x, b = y;
			show_double("wide_max", cir_wide_max(&a, &b));
		}
	}
	return 0;
}

#ifdef TWIN
double cir_wide_max(const long double *x, const long double *y)
{
	if (*x != *x || *y != *y)
		return NAN;
	if (*x == *y)
		return std::signbit(*x) ? *y : *x;
	return *x > *y ? *x : *y;
}
#endif
