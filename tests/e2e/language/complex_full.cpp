#include "language.h"

template <typename T> struct Complex {
	T re, im;
};

extern "C" {
void mul_full_float(const Complex<float> *p, const Complex<float> *q, Complex<float> *r);
void div_full_float(const Complex<float> *p, const Complex<float> *q, Complex<float> *r);
void mul_full_double(const Complex<double> *p, const Complex<double> *q, Complex<double> *r);
void div_full_double(const Complex<double> *p, const Complex<double> *q, Complex<double> *r);
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
					SHOW(mul_full_float, float)
					SHOW(div_full_float, float)
					SHOW(mul_full_double, double)
					SHOW(div_full_double, double)
				}
	return 0;
}

#ifdef TWIN
#define FULL(NAME, T, OP)                                                                                    \
	void NAME(const Complex<T> *p, const Complex<T> *q, Complex<T> *r)                                    \
	{                                                                                                    \
		__extension__ _Complex T x, y, z;                                                            \
		__real__ x = p->re, __imag__ x = p->im, __real__ y = q->re, __imag__ y = q->im;              \
		z = x OP y;                                                                                  \
		*r = {__real__ z, __imag__ z};                                                               \
	}
FULL(mul_full_float, float, *)
FULL(div_full_float, float, /)
FULL(mul_full_double, double, *)
FULL(div_full_double, double, /)
#endif
