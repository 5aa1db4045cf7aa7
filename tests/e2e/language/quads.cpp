#include "language.h"

extern "C" {
int64_t quotient(int64_t a, int64_t b, int64_t scale);
double lost(double a, double b);
bool less(double a, double b);
}

static const double numbers[] = {0.0, -0.0, 1.0, -1.5, 0x1p-40, 3e100, __builtin_inf(), __builtin_nan("")};

int main()
{
	for (int64_t b : {1, 3, 7, -9})
		for (int64_t scale : {INT64_C(1), INT64_C(1000000000000000)})
			show("quotient", quotient(2000, b, scale));
	for (double a : numbers)
		for (double b : numbers) {
			show_double("lost", lost(a, b));
			show("less", less(a, b));
		}
	return 0;
}

#ifdef TWIN
int64_t quotient(int64_t a, int64_t b, int64_t scale) { return (int64_t)((__float128)a / b * scale); }
double lost(double a, double b)
{
	__float128 sum = (__float128)a + b;
	return (double)(sum - (double)sum);
}
bool less(double a, double b) { return (__float128)a < b; }
#endif
