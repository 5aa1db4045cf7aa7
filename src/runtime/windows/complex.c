/* Products and quotients of complex numbers, which compilers call where the formula does not do: infinities are kept
 * as C wants it (C17 annex G.5.1), and quotients are scaled, so that few overflow on the way. Those of float are computed as double. */
#include "runtime/windows/crt.h"

double logb(double x);
double scalbn(double x, int exponent);
double fmax(double x, double y);

double _Complex __muldc3(double a, double b, double c, double d);
double _Complex __divdc3(double a, double b, double c, double d);
float _Complex __mulsc3(float a, float b, float c, float d);
float _Complex __divsc3(float a, float b, float c, float d);

typedef struct Complex {
	double re, im;
} Complex;

static bool has_infinity(Complex z)
{
	return __builtin_isinf(z.re) || __builtin_isinf(z.im);
}

static bool is_finite(Complex z)
{
	return __builtin_isfinite(z.re) && __builtin_isfinite(z.im);
}

static bool is_nan(Complex z)
{
	return __builtin_isnan(z.re) && __builtin_isnan(z.im);
}

/* On the unit square: 1 where an infinity is, else 0, with its sign. */
static Complex box(Complex z)
{
	return (Complex){__builtin_copysign(__builtin_isinf(z.re) ? 1 : 0, z.re),
	                 __builtin_copysign(__builtin_isinf(z.im) ? 1 : 0, z.im)};
}

static Complex zero_for_nan(Complex z)
{
	return (Complex){__builtin_isnan(z.re) ? __builtin_copysign(0, z.re) : z.re,
	                 __builtin_isnan(z.im) ? __builtin_copysign(0, z.im) : z.im};
}

static Complex scaled(double factor, Complex z)
{
	return (Complex){factor * z.re, factor * z.im};
}

static Complex formula(Complex x, Complex y)
{
	return (Complex){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

static bool overflows(Complex x, Complex y)
{
	return __builtin_isinf(x.re * y.re) || __builtin_isinf(x.im * y.im) || __builtin_isinf(x.re * y.im) ||
	       __builtin_isinf(x.im * y.re);
}

static Complex multiply(Complex x, Complex y)
{
	Complex z = formula(x, y);
	bool x_infinite = has_infinity(x), y_infinite = has_infinity(y);
	if (!is_nan(z) || !(x_infinite || y_infinite || overflows(x, y)))
		return z;
	x = zero_for_nan(x_infinite ? box(x) : x);
	y = zero_for_nan(y_infinite ? box(y) : y);
	return scaled(__builtin_inf(), formula(x, y));
}

/* With the conjugate of y, so that division by its square is what is left. */
static Complex times_conjugate(Complex x, Complex y)
{
	return (Complex){x.re * y.re + x.im * y.im, x.im * y.re - x.re * y.im};
}

static Complex divide(Complex x, Complex y)
{
	double exponent = logb(fmax(__builtin_fabs(y.re), __builtin_fabs(y.im)));
	int scale = __builtin_isfinite(exponent) ? -(int)exponent : 0;
	Complex by = {scalbn(y.re, scale), scalbn(y.im, scale)};
	double below = by.re * by.re + by.im * by.im;
	Complex z = times_conjugate(x, by);
	z = (Complex){scalbn(z.re / below, scale), scalbn(z.im / below, scale)};
	if (!is_nan(z))
		return z;
	if (below == 0 && !is_nan(x))
		return scaled(__builtin_copysign(__builtin_inf(), y.re), x);
	if (has_infinity(x) && is_finite(y))
		return scaled(__builtin_inf(), times_conjugate(box(x), by));
	if (is_finite(x) && has_infinity(y))
		return scaled(0, times_conjugate(x, box(y)));
	return z;
}

double _Complex __muldc3(double a, double b, double c, double d)
{
	Complex z = multiply((Complex){a, b}, (Complex){c, d});
	return __builtin_complex(z.re, z.im);
}

double _Complex __divdc3(double a, double b, double c, double d)
{
	Complex z = divide((Complex){a, b}, (Complex){c, d});
	return __builtin_complex(z.re, z.im);
}

float _Complex __mulsc3(float a, float b, float c, float d)
{
	Complex z = multiply((Complex){(double)a, (double)b}, (Complex){(double)c, (double)d});
	return __builtin_complex((float)z.re, (float)z.im);
}

float _Complex __divsc3(float a, float b, float c, float d)
{
	Complex z = divide((Complex){(double)a, (double)b}, (Complex){(double)c, (double)d});
	return __builtin_complex((float)z.re, (float)z.im);
}
