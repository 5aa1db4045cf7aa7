/* What the C++ side of the random signatures needs: values by number. No header of a library, so
 * that it compiles for every target. */
extern "C" int printf(const char *, ...);

typedef void *pointer;
typedef _Complex float complex_float;
typedef _Complex double complex_double;
typedef _Complex long double complex_long;
typedef float float4 __attribute__((vector_size(16)));
typedef int int4 __attribute__((vector_size(16)));
typedef __int128 wide1 __attribute__((vector_size(16)));
typedef double double2 __attribute__((vector_size(16)));
typedef float float2 __attribute__((vector_size(8)));
typedef signed char char8 __attribute__((vector_size(8)));
#ifdef __clang__
typedef _Float16 half;
typedef _BitInt(7) bits7;
typedef unsigned _BitInt(37) bits37;
typedef _BitInt(100) bits100;
typedef _BitInt(64) bits64;
#endif

static inline unsigned long long scramble(unsigned k)
{
	return (k + 1) * 0x9E3779B97F4A7C15ull;
}

#define SCALAR(T, value)                                                                                     \
	static inline void fill(T &x, unsigned k)                                                            \
	{                                                                                                    \
		x = value;                                                                                   \
	}                                                                                                    \
	static inline bool same(const T &x, unsigned k)                                                      \
	{                                                                                                    \
		T y;                                                                                         \
		fill(y, k);                                                                                  \
		return x == y;                                                                               \
	}
#define INTEGER(T)  SCALAR(T, (T)(scramble(k) >> 7))
#define FLOATING(T) SCALAR(T, (T)(k % 997) / 4 + 1)
#define COMPLEX(T, P)                                                                                        \
	static inline void fill(T &x, unsigned k)                                                            \
	{                                                                                                    \
		__real__ x = (P)(k % 997) / 4;                                                               \
		__imag__ x = (P)(k % 991) / 2 + 3;                                                           \
	}                                                                                                    \
	static inline bool same(const T &x, unsigned k)                                                      \
	{                                                                                                    \
		T y;                                                                                         \
		fill(y, k);                                                                                  \
		return __real__ x == __real__ y && __imag__ x == __imag__ y;                                 \
	}
#define VECTOR(T, P, n)                                                                                      \
	static inline void fill(T &x, unsigned k)                                                            \
	{                                                                                                    \
		for (unsigned i = 0; i < n; i++)                                                             \
			x[i] = (P)((k + i) % 113 + 1);                                                       \
	}                                                                                                    \
	static inline bool same(const T &x, unsigned k)                                                      \
	{                                                                                                    \
		for (unsigned i = 0; i < n; i++)                                                             \
			if (x[i] != (P)((k + i) % 113 + 1))                                                  \
				return false;                                                                \
		return true;                                                                                 \
	}

SCALAR(bool, (scramble(k) >> 9 & 1) != 0)
SCALAR(pointer, (pointer)(scramble(k) >> 3))
SCALAR(__int128, (__int128)scramble(k) << 61 ^ scramble(k + 7))
INTEGER(signed char)
INTEGER(unsigned char)
INTEGER(short)
INTEGER(unsigned short)
INTEGER(int)
INTEGER(unsigned)
INTEGER(long long)
INTEGER(unsigned long long)
FLOATING(float)
FLOATING(double)
FLOATING(long double)
COMPLEX(complex_float, float)
COMPLEX(complex_double, double)
COMPLEX(complex_long, long double)
VECTOR(float4, float, 4)
VECTOR(int4, int, 4)
VECTOR(wide1, __int128, 1)
VECTOR(double2, double, 2)
VECTOR(float2, float, 2)
VECTOR(char8, signed char, 8)
#ifdef __clang__
FLOATING(half)
INTEGER(bits7)
INTEGER(bits37)
INTEGER(bits64)
SCALAR(bits100, (bits100)scramble(k) << 31 ^ (bits100)scramble(k + 7))
#endif

/* As a field of so many bits keeps it. */
template <class T> static inline bool same_bits(T got, unsigned k, int bits)
{
	T y;
	fill(y, k);
	int spare = (int)sizeof(T) * 8 - bits;
	return got == (T)((T)(y << spare) >> spare);
}

static int failures;

static inline void fail(int function, int place)
{
	if (failures++ < 20)
		printf("function %d: %s %d is wrong\n", function, place == 20 ? "result" : "parameter",
		       place);
}

static inline int finish(void)
{
	return failures != 0;
}

/* Something to run on the way out. */
extern "C" void noted() noexcept {}
