#include "language.h"

extern "C" {
double mix(double a, double b);
double remainder_of(double a, double b);
float half(float a);
double constant(int n);
uint32_t compare(double a, double b);
}

int main()
{
	const double values[] = {0.0, -0.0, 1.0, -1.5, 0.1, 1e300, -1e-300, 3.0, INFINITY, -INFINITY, NAN};
	for (double a : values)
		for (double b : values) {
			show_double("mix", mix(a, b));
			show_double("remainder_of", remainder_of(a, b));
			show("compare", compare(a, b));
		}
	for (int n = 0; n <= 5; n++)
		show_double("constant", constant(n));
	show_double("half", half(3.1f));
	return 0;
}

#ifdef TWIN
double mix(double a, double b) { return -(((a + b) - b) * (a + b) / b); }
double remainder_of(double a, double b) { return fmod(a, b); }
float half(float a) { return a * 0.5f; }
double constant(int n)
{
	const double values[] = {0.1, -0.0, 1.7976931348623157e+308, 4.9e-324, INFINITY, NAN};
	return values[n];
}
uint32_t compare(double a, double b)
{
	bool uno = a != a || b != b;
	return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | uno << 6;
}
#endif
