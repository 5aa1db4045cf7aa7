// What halves.cpp and bfloats.cpp have in common: HALF is the type.
#include "language.h"

extern "C" {
#define DECLARE_(T)                                                                                           \
	float fadd_##T(float a, float b), fsub_##T(float a, float b), fmul_##T(float a, float b);            \
	float fdiv_##T(float a, float b);                                                                    \
	double from_double_##T(double a), from_int_##T(int64_t a);                                           \
	int32_t bits_##T(double a);                                                                          \
	bool less_##T(float a, float b);                                                                     \
	int64_t to_int_##T(float a);
#define DECLARE(T) DECLARE_(T)
DECLARE(HALF)
}

#define SHOW1_OF(T) SHOW1(T)
#define SHOW2_OF(T) SHOW2(T)

static void show_all()
{
	// The last ones lie halfway, or just beside, between two numbers of either format, or at their limits.
	const double values[] = {0.0, -0.0, 1.0, -2.5, 0.1, 3.0, 1000.0, 65504.0, 65519.0, 65520.0, 1e-5, 6e-8, 2.9e-8, 3e-8, 1e38, -3.39e38,
	                         3.4e38, INFINITY, -INFINITY, NAN, 1.00048828125, 1.00146484375, 1.0004882812500002, 1.00390625,
	                         1.01171875, 1.0039062500000002, 5.960464477539063e-08, 2.98023223876953125e-08, 1e-40, 4.6e-41, 1e-300};
	for (double x : values) {
#define SHOW1(T)                                                                                             \
	show_double("from_double " #T, from_double_##T(x)), show("bits " #T, x == x ? bits_##T(x) : 0);      \
	if (fabs(x) < 1e15)                                                                                  \
		show("to_int " #T, fabs(x) < 65000 ? to_int_##T((float)x) : 0), show_double("from_int " #T, from_int_##T((int64_t)fabs(x)))
		SHOW1_OF(HALF);
		for (double y : values) {
#define SHOW2(T)                                                                                             \
	show_double("fadd " #T, fadd_##T((float)x, (float)y)), show_double("fsub " #T, fsub_##T((float)x, (float)y)), \
	    show_double("fmul " #T, fmul_##T((float)x, (float)y)), show_double("fdiv " #T, fdiv_##T((float)x, (float)y)), \
	    show("less " #T, less_##T((float)x, (float)y))
			SHOW2_OF(HALF);
		}
	}
}

#ifdef TWIN
// To the nearest number with so many bits behind the point, ties to even, from the exponent `least` on.
static double rounded(double x, int bits, int least, double limit)
{
	if (x != x || x == 0 || std::fabs(x) > 1.7976931348623157e308)
		return x;
	int e;
	frexp(x, &e);
	e -= 1;
	if (e < least)
		e = least;
	double unit = ldexp(1, e - bits), r = nearbyint(x / unit) * unit;
	return r > limit ? INFINITY : r < -limit ? -INFINITY : r;
}

static double f16(double x) { return rounded(x, 10, -14, 65504); }
static double bf16(double x) { return rounded(x, 7, -126, 0x1.fep127); }

static int32_t bits_of(double x, int mantissa, int bias)
{
	int sign = std::signbit(x) ? 0x8000 : 0, e;
	x = fabs(x);
	if (std::fabs(x) > 1.7976931348623157e308)
		return sign | (2 * bias + 1) << mantissa;
	if (x < ldexp(1, 1 - bias))
		return sign | (int32_t)ldexp(x, mantissa + bias - 1);
	double m = frexp(x, &e);
	return sign | ((e - 1 + bias) << mantissa) + (int32_t)ldexp(m * 2 - 1, mantissa);
}

static int32_t bits_f16(double x, int) { return bits_of(f16(x), 10, 15) << 16 | 0x3e00; }
static int32_t bits_bf16(double x, int) { return (int32_t)((uint32_t)bits_of(bf16(x), 7, 127) << 16) | 0x3fc0; }

#define TWIN_OF_(T)                                                                                           \
	float fadd_##T(float a, float b) { return (float)T((float)T(a) + (float)T(b)); }                     \
	float fsub_##T(float a, float b) { return (float)T((float)T(a) - (float)T(b)); }                     \
	float fmul_##T(float a, float b) { return (float)T((float)T(a) * (float)T(b)); }                     \
	float fdiv_##T(float a, float b) { return (float)T((float)T(a) / (float)T(b)); }                     \
	double from_double_##T(double a) { return T(a); }                                                    \
	double from_int_##T(int64_t a) { return T(sqrtf((float)T((double)a))); }                             \
	int32_t bits_##T(double a) { return bits_##T(a, 0); }                                                \
	bool less_##T(float a, float b) { return T(a) < T(b); }                                              \
	int64_t to_int_##T(float a) { return (int64_t)-T(a); }
#define TWIN_OF(T) TWIN_OF_(T)
TWIN_OF(HALF)
#endif
