/* Between half precision (_Float16, __bf16) and the types that the processor computes
 * with. LLVM calls these functions. */
#include "runtime/windows/crt.h"

float __extendhfsf2(_Float16 x);
_Float16 __truncsfhf2(float x);
_Float16 __truncdfhf2(double x);
__bf16 __truncsfbf2(float x);
__bf16 __truncdfbf2(double x);

enum { DOUBLE_MANTISSA = 52, DOUBLE_BIAS = 1023, DOUBLE_SPECIAL = 0x7ff };

typedef struct Format {
	int mantissa, bias; /* bits; the largest exponent is 2 * bias + 1 */
} Format;

static const Format half = {10, 15}, bfloat = {7, 127};

/* To the nearest, ties to even: `bits` is shifted right, and rounded by what falls off. */
static uint64_t round_shift(uint64_t bits, int shift)
{
	if (shift > 63)
		return 0;
	uint64_t kept = bits >> shift, lost = bits & ((UINT64_C(1) << shift) - 1),
	         tie = UINT64_C(1) << (shift - 1);
	return kept + (lost > tie || (lost == tie && (kept & 1)));
}

static uint16_t narrow(double x, Format to)
{
	uint64_t bits = __builtin_bit_cast(uint64_t, x),
	         mantissa = bits & ((UINT64_C(1) << DOUBLE_MANTISSA) - 1);
	uint64_t sign = bits >> 63 << 15, infinity = (uint64_t)(2 * to.bias + 1) << to.mantissa;
	int exponent = (int)(bits >> DOUBLE_MANTISSA & DOUBLE_SPECIAL), shift = DOUBLE_MANTISSA - to.mantissa;
	if (exponent == DOUBLE_SPECIAL && mantissa) /* a quiet NaN, with the upper bits of what it carries */
		return (uint16_t)(sign | infinity | UINT64_C(1) << (to.mantissa - 1) | mantissa >> shift);
	if (exponent == DOUBLE_SPECIAL)
		return (uint16_t)(sign | infinity);
	mantissa |= (uint64_t)(exponent != 0) << DOUBLE_MANTISSA;
	exponent += to.bias - DOUBLE_BIAS;
	/* Rounding up may carry into the exponent, and out of what is subnormal: the sum comes out right. */
	uint64_t result = exponent > 0
	                      ? ((uint64_t)(exponent - 1) << to.mantissa) + round_shift(mantissa, shift)
	                      : round_shift(mantissa, shift + 1 - exponent);
	return (uint16_t)(sign | (result < infinity ? result : infinity));
}

_Float16 __truncdfhf2(double x)
{
	return __builtin_bit_cast(_Float16, narrow(x, half));
}

_Float16 __truncsfhf2(float x)
{
	return __truncdfhf2((double)x);
}

__bf16 __truncdfbf2(double x)
{
	return __builtin_bit_cast(__bf16, narrow(x, bfloat));
}

__bf16 __truncsfbf2(float x)
{
	return __truncdfbf2((double)x);
}

float __extendhfsf2(_Float16 x)
{
	uint16_t bits = __builtin_bit_cast(uint16_t, x);
	uint32_t sign = (uint32_t)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
	if (exponent == 31) {
		uint32_t quiet = mantissa ? UINT32_C(1) << 22 : 0;
		return __builtin_bit_cast(float, sign | UINT32_C(0x7f800000) | quiet | mantissa << 13);
	}
	if (exponent)
		return __builtin_bit_cast(float, sign | (exponent + 112) << 23 | mantissa << 13);
	float magnitude = (float)mantissa * 0x1p-24f;
	return __builtin_bit_cast(float, sign | __builtin_bit_cast(uint32_t, magnitude));
}
