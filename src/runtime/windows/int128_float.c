/* Between 128-bit integers and floating point. */
#include "runtime/windows/crt.h"

typedef __int128 Int128;
typedef unsigned __int128 UInt128;

double ldexp(double x, int exponent);

double __floatuntidf(UInt128 x);
double __floattidf(Int128 x);
float __floatuntisf(UInt128 x);
float __floattisf(Int128 x);
UInt128 __fixunsdfti(double x);
Int128 __fixdfti(double x);
UInt128 __fixunssfti(float x);
Int128 __fixsfti(float x);

/* The upper 64 bits from the first that is set, and how many lie below. The last one stands for all below it,
 * so that rounding to fewer bits comes out as if they were there. */
static uint64_t leading_word(UInt128 x, int *below)
{
	uint64_t hi = (uint64_t)(x >> 64);
	*below = hi ? 64 - __builtin_clzll(hi) : 0;
	UInt128 rest = *below ? x << (128 - *below) : 0;
	return (uint64_t)(x >> *below) | (rest != 0);
}

double __floatuntidf(UInt128 x)
{
	int below;
	uint64_t word = leading_word(x, &below);
	return ldexp((double)word, below);
}

double __floattidf(Int128 x)
{
	return x < 0 ? -__floatuntidf(-(UInt128)x) : __floatuntidf((UInt128)x);
}

float __floatuntisf(UInt128 x)
{
	int below;
	uint64_t word = leading_word(x, &below);
	return (float)ldexp((double)(float)word, below);
}

float __floattisf(Int128 x)
{
	return x < 0 ? -__floatuntisf(-(UInt128)x) : __floatuntisf((UInt128)x);
}

/* What does not fit is undefined. */
UInt128 __fixunsdfti(double x)
{
	uint64_t bits;
	__builtin_memcpy(&bits, &x, sizeof bits);
	int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
	UInt128 fraction = (bits & 0xfffffffffffff) | (uint64_t)1 << 52;
	if (exponent < 0 || exponent > 127)
		return 0;
	return exponent < 52 ? fraction >> (52 - exponent) : fraction << (exponent - 52);
}

Int128 __fixdfti(double x)
{
	return x < 0 ? (Int128)-__fixunsdfti(-x) : (Int128)__fixunsdfti(x);
}

UInt128 __fixunssfti(float x)
{
	return __fixunsdfti((double)x);
}

Int128 __fixsfti(float x)
{
	return __fixdfti((double)x);
}
