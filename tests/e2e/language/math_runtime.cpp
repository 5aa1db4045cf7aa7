#include "language.h"

extern "C" {
double cir_exp10(double x);
float cir_exp10f(float x);
double cir_roundeven(double x);
float cir_roundevenf(float x);
}

int main()
{
	const double values[] = {0.0, -0.0, 0.5, -1.5, 2.5, 10.0, 1e300, INFINITY, -INFINITY, NAN};
	for (double x : values) {
		show_double("exp10", cir_exp10(x));
		show_double("exp10f", cir_exp10f((float)x));
		show_double("roundeven", cir_roundeven(x));
		show_double("roundevenf", cir_roundevenf((float)x));
	}
	return 0;
}

#ifdef TWIN
#ifdef __MINGW32__ // which has neither
double cir_roundeven(double x) { return nearbyint(x); }
float cir_roundevenf(float x) { return nearbyintf(x); }
double cir_exp10(double x) { return pow(10, x); }
float cir_exp10f(float x) { return powf(10, x); }
#else
double cir_roundeven(double x) { return __builtin_roundeven(x); }
float cir_roundevenf(float x) { return __builtin_roundevenf(x); }
double cir_exp10(double x) { return exp10(x); }
float cir_exp10f(float x) { return exp10f(x); }
#endif
#endif
