#include "language.h"

#define UNSIGNED(W)                                                                                          \
	uint##W##_t clz##W(uint##W##_t x), ctz##W(uint##W##_t x), popcount##W(uint##W##_t x);                \
	uint##W##_t parity##W(uint##W##_t x), bitreverse##W(uint##W##_t x), byte_swap##W(uint##W##_t x);     \
	uint##W##_t rotate_left##W(uint##W##_t x, uint##W##_t n), rotate_right##W(uint##W##_t x, uint##W##_t n); \
	uint##W##_t fshl##W(uint##W##_t x, uint##W##_t y, uint##W##_t n);                                    \
	uint##W##_t fshr##W(uint##W##_t x, uint##W##_t y, uint##W##_t n)
#define SIGNED(W)                                                                                            \
	int##W##_t clrsb##W(int##W##_t x), ffs##W(int##W##_t x), abs##W(int##W##_t x);                       \
	int8_t order##W(int##W##_t x, int##W##_t y)

extern "C" {
UNSIGNED(16);
UNSIGNED(32);
UNSIGNED(64);
SIGNED(32);
SIGNED(64);
int8_t order_double(double x, double y);
}

#define SHOW1(F, W) show(#F #W, (int64_t)F##W((uint##W##_t)a))
#define SHOW_ALL(W)                                                                                          \
	SHOW1(clz, W), SHOW1(ctz, W), SHOW1(popcount, W), SHOW1(parity, W), SHOW1(bitreverse, W),            \
	    SHOW1(byte_swap, W)
#define SHOW_SHIFTS(W)                                                                                       \
	show("rotate_left" #W, (int64_t)rotate_left##W((uint##W##_t)a, (uint##W##_t)b)),                     \
	    show("rotate_right" #W, (int64_t)rotate_right##W((uint##W##_t)a, (uint##W##_t)b)),               \
	    show("fshl" #W, (int64_t)fshl##W((uint##W##_t)a, (uint##W##_t)~a, (uint##W##_t)b)),              \
	    show("fshr" #W, (int64_t)fshr##W((uint##W##_t)a, (uint##W##_t)~a, (uint##W##_t)b))

int main()
{
	const double numbers[] = {0.0, -0.0, 1.5, -2.0, INFINITY, NAN};
	for (int64_t a : edges) {
		SHOW_ALL(16);
		SHOW_ALL(32);
		SHOW_ALL(64);
		show("clrsb32", clrsb32((int32_t)a));
		show("clrsb64", clrsb64(a));
		show("ffs32", ffs32((int32_t)a));
		show("ffs64", ffs64(a));
		show("abs32", abs32((int32_t)a));
		show("abs64", abs64(a));
		for (int64_t b : edges) {
			SHOW_SHIFTS(16);
			SHOW_SHIFTS(32);
			SHOW_SHIFTS(64);
			show("order32", order32((int32_t)a, (int32_t)b));
			show("order64", order64(a, b));
		}
	}
	for (double a : numbers)
		for (double b : numbers)
			show("order_double", order_double(a, b));
	return 0;
}

#ifdef TWIN
template <typename T> static const int bits = (int)sizeof(T) * 8;
template <typename T> static T reversed(T x, int step)
{
	T mask = (T)(((T)1 << step) - 1), r = 0;
	for (int i = 0; i < bits<T>; i += step)
		r = (T)(r | (T)((T)(x >> i) & mask) << (bits<T> - step - i));
	return r;
}
template <typename T> static T leading(T x)
{
	int n = 0;
	while (n < bits<T> && !(x >> (bits<T> - 1 - n) & 1))
		n++;
	return (T)n;
}
template <typename T> static T trailing(T x)
{
	int n = 0;
	while (n < bits<T> && !(x >> n & 1))
		n++;
	return (T)n;
}
template <typename T> static T funnel_left(T x, T y, int n) { return n ? (T)(x << n | y >> (bits<T> - n)) : x; }
template <typename T> static T funnel_right(T x, T y, int n) { return n ? (T)(x << (bits<T> - n) | y >> n) : y; }
template <typename T> static int8_t ordered(T x, T y) { return x < y ? -1 : x == y ? 0 : x > y ? 1 : -127; }

#define TWIN_UNSIGNED(W)                                                                                     \
	uint##W##_t clz##W(uint##W##_t x) { return leading(x); }                                             \
	uint##W##_t ctz##W(uint##W##_t x) { return trailing(x); }                                            \
	uint##W##_t popcount##W(uint##W##_t x) { return (uint##W##_t)__builtin_popcountll(x); }              \
	uint##W##_t parity##W(uint##W##_t x) { return (uint##W##_t)__builtin_parityll(x); }                  \
	uint##W##_t bitreverse##W(uint##W##_t x) { return reversed(x, 1); }                                  \
	uint##W##_t byte_swap##W(uint##W##_t x) { return reversed(x, 8); }                                   \
	uint##W##_t rotate_left##W(uint##W##_t x, uint##W##_t n) { return funnel_left(x, x, n % W); }        \
	uint##W##_t rotate_right##W(uint##W##_t x, uint##W##_t n) { return funnel_right(x, x, n % W); }      \
	uint##W##_t fshl##W(uint##W##_t x, uint##W##_t y, uint##W##_t n) { return funnel_left(x, y, n % W); } \
	uint##W##_t fshr##W(uint##W##_t x, uint##W##_t y, uint##W##_t n) { return funnel_right(x, y, n % W); }
TWIN_UNSIGNED(16)
TWIN_UNSIGNED(32)
TWIN_UNSIGNED(64)
int32_t clrsb32(int32_t x) { return __builtin_clrsb(x); }
int64_t clrsb64(int64_t x) { return __builtin_clrsbll(x); }
int32_t ffs32(int32_t x) { return __builtin_ffs(x); }
int64_t ffs64(int64_t x) { return __builtin_ffsll(x); }
int32_t abs32(int32_t x) { return x < 0 ? (int32_t)-(uint32_t)x : x; }
int64_t abs64(int64_t x) { return x < 0 ? (int64_t)-(uint64_t)x : x; }
int8_t order32(int32_t x, int32_t y) { return ordered(x, y); }
int8_t order64(int64_t x, int64_t y) { return ordered(x, y); }
int8_t order_double(double x, double y) { return ordered(x, y); }
#endif
