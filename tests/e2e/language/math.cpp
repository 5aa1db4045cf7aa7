#include "language.h"

#define UNARY(X) \
	X(sqrt) X(acos) X(asin) X(atan) X(ceil) X(cos) X(cosh) X(exp) \
	X(exp2) X(fabs) X(floor) X(log) X(log10) X(log2) X(nearbyint) \
	X(rint) X(round) X(sin) X(sinh) X(tan) X(tanh) X(trunc)
#define BINARY(X) X(copysign) X(fmaxnum) X(fmaximum) X(fminnum) X(fminimum) X(fmod) X(pow)
#define INTEGRAL(X) X(lround) X(llround) X(lrint) X(llrint)

extern "C" {
#define DECLARE(F) double cir_##F(double x); float cir_##F##f(float x);
UNARY(DECLARE)
#define DECLARE2(F) double cir_##F(double x, double y);
BINARY(DECLARE2)
#define DECLARE_INTEGRAL(F) int64_t cir_##F(double x);
INTEGRAL(DECLARE_INTEGRAL)
double cir_fma(double x, double y), cir_frexp(double x, int *e);
bool cir_signbit(double x), cir_finite(double x);
}

// Libraries differ in the last bits.
static void show_close(const char *what, double value)
{
	if (value != value)
		printf("%s nan\n", what);
	else
		printf("%s %.11g\n", what, value);
}

int main()
{
	const double values[] = {0.0, -0.0, 0.5, 1.0, -1.5, 2.5, -2.5, 0.1, 10.0, 700.25, 1e300, INFINITY, -INFINITY, NAN};
	for (double x : values) {
#define SHOW(F) show_close(#F, cir_##F(x)), show_close(#F "f", cir_##F##f((float)x));
		UNARY(SHOW)
#define SHOW_INTEGRAL(F) if (std::fabs(x) < 1e15) show(#F, cir_##F(x));
		INTEGRAL(SHOW_INTEGRAL)
		int exponent = 0;
		if (std::isfinite(x))
			show_close("frexp", cir_frexp(x, &exponent)), show("exponent", exponent);
		show("finite", cir_finite(x));
		show("signbit", x == x && cir_signbit(x));
		for (double y : values) {
			// Which zero maxnum takes is the library's choice.
			if (x != 0 || y != 0) {
				show_close("fmaxnum", cir_fmaxnum(x, y));
				show_close("fminnum", cir_fminnum(x, y));
			}
			show_close("copysign", cir_copysign(x, y == y ? y : 1));
			show_close("fmaximum", cir_fmaximum(x, y));
			show_close("fminimum", cir_fminimum(x, y));
			show_close("fmod", cir_fmod(x, y));
			show_close("pow", cir_pow(x, y));
			show_close("fma", cir_fma(x, y));
		}
	}
	return 0;
}

#ifdef TWIN
#include <cmath>
static double chosen(double x, double y, bool max)
{
	if (x != x || y != y)
		return NAN;
	if (x == y)
		return std::signbit(x) == max ? y : x;
	return (x > y) == max ? x : y;
}
#define TWIN1(F) double cir_##F(double x) { return F(x); } float cir_##F##f(float x) { return F##f(x); }
TWIN1(sqrt) TWIN1(acos) TWIN1(asin) TWIN1(atan) TWIN1(ceil) TWIN1(cos) TWIN1(cosh) TWIN1(exp)
TWIN1(exp2) TWIN1(fabs) TWIN1(floor) TWIN1(log) TWIN1(log10) TWIN1(log2) TWIN1(nearbyint)
TWIN1(rint) TWIN1(round) TWIN1(sin) TWIN1(sinh) TWIN1(tan) TWIN1(tanh) TWIN1(trunc) 
double cir_copysign(double x, double y) { return copysign(x, y); }
double cir_fmaxnum(double x, double y) { return fmax(x, y); }
double cir_fminnum(double x, double y) { return fmin(x, y); }
double cir_fmaximum(double x, double y) { return chosen(x, y, true); }
double cir_fminimum(double x, double y) { return chosen(x, y, false); }
double cir_fmod(double x, double y) { return fmod(x, y); }
double cir_pow(double x, double y) { return pow(x, y); }
double cir_fma(double x, double y) { return fma(x, y, x); }
int64_t cir_lround(double x) { return lround(x); }
int64_t cir_llround(double x) { return llround(x); }
int64_t cir_lrint(double x) { return lrint(x); }
int64_t cir_llrint(double x) { return llrint(x); }
double cir_frexp(double x, int *e) { return frexp(x, e); }
bool cir_signbit(double x) { return std::signbit(x); }
bool cir_finite(double x) { return std::isfinite(x); }
#endif
