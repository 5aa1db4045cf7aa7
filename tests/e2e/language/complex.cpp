#include "language.h"

template <typename T> struct Complex {
	T re, im;
};

extern "C" {
void mul_basic_float(const Complex<float> *p, const Complex<float> *q, Complex<float> *r);
void div_basic_float(const Complex<float> *p, const Complex<float> *q, Complex<float> *r);
void div_improved_float(const Complex<float> *p, const Complex<float> *q, Complex<float> *r);
void div_promoted_float(const Complex<float> *p, const Complex<float> *q, Complex<float> *r);
void mul_basic_double(const Complex<double> *p, const Complex<double> *q, Complex<double> *r);
void div_basic_double(const Complex<double> *p, const Complex<double> *q, Complex<double> *r);
void div_improved_double(const Complex<double> *p, const Complex<double> *q, Complex<double> *r);
int32_t integers(const Complex<int32_t> *p, const Complex<int32_t> *q);
bool same(const Complex<double> *p, const Complex<double> *q);
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
					SHOW(mul_basic_float, float)
					SHOW(div_basic_float, float)
					SHOW(div_improved_float, float)
					SHOW(div_promoted_float, float)
					SHOW(mul_basic_double, double)
					SHOW(div_basic_double, double)
					SHOW(div_improved_double, double)
					Complex<double> x = {a, b}, y = {c, d};
					show("same", same(&x, &y));
				}
	for (int32_t a : {1, -7, 40})
		for (int32_t b : {3, -2, 11}) {
			Complex<int32_t> x = {a, b}, y = {b, a + 100};
			show("integers", integers(&x, &y));
		}
	return 0;
}

#ifdef TWIN
template <typename T> static Complex<T> product(Complex<T> x, Complex<T> y)
{
	return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
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
void mul_basic_float(const Complex<float> *p, const Complex<float> *q, Complex<float> *r) { *r = product(*p, *q); }
void div_basic_float(const Complex<float> *p, const Complex<float> *q, Complex<float> *r) { *r = quotient(*p, *q); }
void div_improved_float(const Complex<float> *p, const Complex<float> *q, Complex<float> *r) { *r = smith(*p, *q); }
void div_promoted_float(const Complex<float> *p, const Complex<float> *q, Complex<float> *r) { *r = promoted<double>(*p, *q); }
void mul_basic_double(const Complex<double> *p, const Complex<double> *q, Complex<double> *r) { *r = product(*p, *q); }
void div_basic_double(const Complex<double> *p, const Complex<double> *q, Complex<double> *r) { *r = quotient(*p, *q); }
void div_improved_double(const Complex<double> *p, const Complex<double> *q, Complex<double> *r) { *r = smith(*p, *q); }
int32_t integers(const Complex<int32_t> *p, const Complex<int32_t> *q)
{
	Complex<int32_t> m = product(*p, *q);
	Complex<int32_t> d = quotient<int32_t>({m.re - p->re, -m.im - p->im}, *q);
	return d.re + d.im * 1000;
}
bool same(const Complex<double> *p, const Complex<double> *q) { return p->re == q->re && p->im == q->im; }
#endif
