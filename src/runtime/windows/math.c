/* Functions of the mathematical library that LLVM may call and ucrtbase.dll does not have: Microsoft's
 * headers make them of others, or C has them only since C23. */
#include "runtime/windows/crt.h"

double pow(double x, double y);
double frexp(double x, int *exponent);
double ldexp(double x, int exponent);

double exp10(double x);
float exp10f(float x);
double roundeven(double x);
float roundevenf(float x);
float frexpf(float x, int *exponent);
float ldexpf(float x, int exponent);
float fabsf(float x);

double exp10(double x)
{
	return pow(10, x);
}

float exp10f(float x)
{
	return (float)pow(10, (double)x);
}

/* Halves to the even neighbour, whatever rounding the program has set. */
double roundeven(double x)
{
	double magnitude = __builtin_fabs(x);
	if (!(magnitude < 0x1p52))
		return x;
	double whole = (double)(int64_t)magnitude, rest = magnitude - whole;
	if (rest > 0.5 || (rest == 0.5 && (int64_t)whole % 2 != 0))
		whole++;
	return __builtin_copysign(whole, x);
}

float roundevenf(float x)
{
	return (float)roundeven((double)x);
}

float frexpf(float x, int *exponent)
{
	return (float)frexp((double)x, exponent);
}

float ldexpf(float x, int exponent)
{
	return (float)ldexp((double)x, exponent);
}

float fabsf(float x)
{
	return __builtin_fabsf(x);
}
