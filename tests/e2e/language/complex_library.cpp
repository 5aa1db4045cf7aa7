#include "language.h"

template <typename T> struct Complex {
	T re, im;
};

extern "C" {
void mul_full_wide(const Complex<long double> *p, const Complex<long double> *q, Complex<long double> *r);
void div_full_wide(const Complex<long double> *p, const Complex<long double> *q, Complex<long double> *r);
void div_promoted_double(const Complex<double> *p, const Complex<double> *q, Complex<double> *r);
void div_improved_wide(const Complex<long double> *p, const Complex<long double> *q, Complex<long double> *r);
void div_promoted_wide(const Complex<long double> *p, const Complex<long double> *q, Complex<long double> *r);
}

template <typename T>
static void show_complex(const char *what, void (*f)(const Complex<T> *, const Complex<T> *, Complex<T> *), double a,
                         double b, double c, double d)
{
	Complex<T> x = {(T)a, (T)b}, y = {(T)c, (T)d}, z;
	f(&x, &y, &z);
	show_double(what, (double)z.re);
	show_double("  im", (double)z.im);
}
#define SHOW(F, T) show_complex<T>(#F, F, a, b, c, d);

int main()
{
	const double values[] = {0.0, 1.5, -2.0, 1e30, INFINITY, NAN};
	for (double a : values)
		for (double b : values)
			for (double c : values)
				for (double d : values) {
					SHOW(mul_full_wide, long double)
					SHOW(div_full_wide, long double)
					SHOW(div_promoted_double, double)
					SHOW(div_improved_wide, long double)
					SHOW(div_promoted_wide, long double)
				}
	return 0;
}

#ifdef TWIN
template <typename T> static Complex<T> quotient(Complex<T> x, Complex<T> y)
{
	T below = y.re * y.re + y.im * y.im;
	return {(x.re * y.re + x.im * y.im) / below, (x.im * y.re - x.re * y.im) / below};
}
template <typename T> static Complex<T> smith(Complex<T> x, Complex<T> y)
{
	if (std::fabs(y.re) < std::fabs(y.im)) {
		T r = y.re / y.im, below = y.im + y.re * r;
		return {(x.im + x.re * r) / below, (x.im * r - x.re) / below};
	}
	T r = y.im / y.re, below = y.re + y.im * r;
	return {(x.re + x.im * r) / below, (x.im - x.re * r) / below};
}
template <typename W, typename T> static Complex<T> promoted(Complex<T> x, Complex<T> y)
{
	Complex<W> z = quotient<W>({x.re, x.im}, {y.re, y.im});
	return {(T)z.re, (T)z.im};
}
#define FULL(NAME, T, OP)                                                                                    \
	void NAME(const Complex<T> *p, const Complex<T> *q, Complex<T> *r)                                    \
	{                                                                                                    \
		__extension__ _Complex T x, y, z;                                                            \
		__real__ x = p->re, __imag__ x = p->im, __real__ y = q->re, __imag__ y = q->im;              \
		z = x OP y;                                                                                  \
		*r = {__real__ z, __imag__ z};                                                               \
	}
FULL(mul_full_wide, long double, *)
FULL(div_full_wide, long double, /)
void div_promoted_double(const Complex<double> *p, const Complex<double> *q, Complex<double> *r) { *r = promoted<long double>(*p, *q); }
void div_improved_wide(const Complex<long double> *p, const Complex<long double> *q, Complex<long double> *r) { *r = smith(*p, *q); }
void div_promoted_wide(const Complex<long double> *p, const Complex<long double> *q, Complex<long double> *r) { *r = smith(*p, *q); }
#endif
