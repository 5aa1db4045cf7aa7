/* Division of 128-bit integers, which LLVM leaves to a function. Named as in libgcc; called as Windows passes
 * an __int128, which clang does by itself here. */
#include "runtime/windows/crt.h"

typedef __int128 Int128;
typedef unsigned __int128 UInt128;

UInt128 __udivmodti4(UInt128 n, UInt128 d, UInt128 *remainder);
UInt128 __udivti3(UInt128 n, UInt128 d);
UInt128 __umodti3(UInt128 n, UInt128 d);
Int128 __divti3(Int128 n, Int128 d);
Int128 __modti3(Int128 n, Int128 d);

static uint64_t high(UInt128 x)
{
	return (uint64_t)(x >> 64);
}

/* (hi:lo) / d, where hi < d, so that the quotient fits; the division by zero is the processor's. */
static uint64_t divide_two_words(uint64_t hi, uint64_t lo, uint64_t d, uint64_t *remainder)
{
	uint64_t q;
	__asm__("divq %4" : "=a"(q), "=d"(*remainder) : "a"(lo), "d"(hi), "r"(d) : "cc");
	return q;
}

static UInt128 divide_by_word(UInt128 n, uint64_t d, UInt128 *remainder)
{
	uint64_t hi = high(n), r;
	uint64_t q_hi = divide_two_words(0, hi, d, &r);
	uint64_t q_lo = divide_two_words(r, (uint64_t)n, d, &r);
	*remainder = r;
	return (UInt128)q_hi << 64 | q_lo;
}

/* The quotient has at most as many bits as the leading zeros differ by, and one. */
static UInt128 divide_by_bits(UInt128 n, UInt128 d, UInt128 *remainder)
{
	UInt128 q = 0;
	int shift = n < d ? -1 : __builtin_clzll(high(d)) - __builtin_clzll(high(n));
	for (; shift >= 0; shift--) {
		if (n >= d << shift) {
			n -= d << shift;
			q |= (UInt128)1 << shift;
		}
	}
	*remainder = n;
	return q;
}

UInt128 __udivmodti4(UInt128 n, UInt128 d, UInt128 *remainder)
{
	UInt128 r;
	UInt128 q = high(d) ? divide_by_bits(n, d, &r) : divide_by_word(n, (uint64_t)d, &r);
	if (remainder)
		*remainder = r;
	return q;
}

UInt128 __udivti3(UInt128 n, UInt128 d)
{
	return __udivmodti4(n, d, NULL);
}

UInt128 __umodti3(UInt128 n, UInt128 d)
{
	UInt128 r;
	__udivmodti4(n, d, &r);
	return r;
}

static UInt128 magnitude(Int128 x)
{
	return x < 0 ? -(UInt128)x : (UInt128)x;
}

/* As C rounds: towards zero, and the remainder has the sign of the dividend. */
Int128 __divti3(Int128 n, Int128 d)
{
	UInt128 q = __udivmodti4(magnitude(n), magnitude(d), NULL);
	return (Int128)((n < 0) != (d < 0) ? -q : q);
}

Int128 __modti3(Int128 n, Int128 d)
{
	UInt128 r;
	__udivmodti4(magnitude(n), magnitude(d), &r);
	return (Int128)(n < 0 ? -r : r);
}
