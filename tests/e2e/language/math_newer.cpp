#include "language.h"

extern "C" {
double cir_atan2(double y, double x);
double cir_modf(double x, double *whole);
}

int main()
{
	const double values[] = {0.0, -0.0, 0.5, 1.0, -1.5, 1e300, INFINITY, -INFINITY, NAN};
	for (double x : values) {
		double whole = 0, fraction = cir_modf(x, &whole);
		show_double("modf", fraction);
		show_double("whole", whole);
		for (double y : values)
			show_double("atan2", cir_atan2(y, x));
	}
	return 0;
}

#ifdef TWIN
double cir_atan2(double y, double x) { return atan2(y, x); }
double cir_modf(double x, double *whole) { return modf(x, whole); }
#endif
