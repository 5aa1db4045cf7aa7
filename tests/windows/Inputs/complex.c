// What C17 annex G.5.1 wants of products and quotients, of all numbers that are made of some parts; and quotients that the
// formula would lose. T: float or double.
int printf(const char *, ...);

#define INFINITE ((T)__builtin_inf())
enum { NPARTS = 8 };
static const T parts[NPARTS] = {0, (T)-0.0, 1, (T)-1.5, (T)1e30, INFINITE, -INFINITE, (T)__builtin_nan("")};

typedef struct Number {
	T re, im;
} Number;

static int is_infinite(Number z)
{
	return __builtin_isinf(z.re) || __builtin_isinf(z.im);
}

static int is_finite(Number z)
{
	return __builtin_isfinite(z.re) && __builtin_isfinite(z.im);
}

static int is_zero(Number z)
{
	return z.re == 0 && z.im == 0;
}

static int is_number(Number z)
{
	return is_infinite(z) || is_finite(z);
}

static Number product(Number x, Number y)
{
	volatile T _Complex a = __builtin_complex(x.re, x.im), b = __builtin_complex(y.re, y.im);
	T _Complex z = a * b;
	return (Number){__real__ z, __imag__ z};
}

static Number quotient(Number x, Number y)
{
	volatile T _Complex a = __builtin_complex(x.re, x.im), b = __builtin_complex(y.re, y.im);
	T _Complex z = a / b;
	return (Number){__real__ z, __imag__ z};
}

static int obeys(Number x, Number y)
{
	int big_x = is_infinite(x), big_y = is_infinite(y);
	if (big_x && is_number(y) && !is_zero(y) && !is_infinite(product(x, y)))
		return 0;
	if (big_y && is_number(x) && !is_zero(x) && !is_infinite(product(x, y)))
		return 0;
	if (big_x && is_finite(y) && !is_infinite(quotient(x, y)))
		return 0;
	if (is_finite(x) && big_y && !is_zero(quotient(x, y)))
		return 0;
	return !(is_number(x) && !is_zero(x) && is_zero(y)) || is_infinite(quotient(x, y));
}

static void show(T scale)
{
	Number z = quotient((Number){11 * scale, -2 * scale}, (Number){scale, 2 * scale});
	printf("%.6g %.6g\n", (double)z.re, (double)z.im);
}

int main(void)
{
	int obeyed = 0;
	for (int i = 0; i < NPARTS * NPARTS * NPARTS * NPARTS; i++)
		obeyed += obeys((Number){parts[i & 7], parts[i >> 3 & 7]},
		                (Number){parts[i >> 6 & 7], parts[i >> 9]});
	printf("%d of %d\n", obeyed, NPARTS * NPARTS * NPARTS * NPARTS);
	show(1);
	show(sizeof(T) == 4 ? (T)0x1p124 : (T)0x1p1020);
	show(sizeof(T) == 4 ? (T)0x1p-124 : (T)0x1p-1020);
	return 0;
}
