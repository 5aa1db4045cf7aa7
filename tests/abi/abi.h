/* What the C++ side of the random signatures needs: values by number. No header of a library, so
 * that it compiles for every target. */
extern "C" int printf(const char *, ...);

typedef void *pointer;
enum fruit : unsigned { apple };
typedef _Complex signed char complex_char;
typedef _Complex int complex_int;
typedef _Complex long long complex_wide;
typedef _Complex float complex_float;
typedef _Complex double complex_double;
typedef _Complex long double complex_long;
#define OF_BYTES(T, name, n) typedef T name __attribute__((vector_size(n)))
OF_BYTES(signed char, char8, 8);
OF_BYTES(signed char, char16, 16);
OF_BYTES(int, int4, 16);
OF_BYTES(float, float2, 8);
OF_BYTES(float, float4, 16);
OF_BYTES(double, double2, 16);
#ifdef __clang__
#ifndef __wasm__
typedef _Float16 half;
typedef __bf16 brain;
typedef _Complex _Float16 complex_half;
#endif
struct Members {
	int x;
	void f();
};
typedef int Members::*member_data;
typedef void (Members::*member_function)();
#define OF_ELEMENTS(T, name, n) typedef T name __attribute__((ext_vector_type(n)))
OF_BYTES(signed char, char1, 1);
OF_BYTES(signed char, char2, 2);
OF_ELEMENTS(signed char, char3, 3);
OF_BYTES(signed char, char32, 32);
OF_BYTES(short, short2, 4);
OF_ELEMENTS(short, short3, 3);
OF_BYTES(int, int2, 8);
OF_ELEMENTS(int, int3, 3);
OF_BYTES(long long, long1, 8);
OF_BYTES(__int128, wide1, 16);
OF_BYTES(__int128, wide2, 32);
#ifndef __wasm__
OF_BYTES(half, half2, 4);
OF_BYTES(brain, brain2, 4);
OF_BYTES(half, half4, 8);
OF_BYTES(half, half8, 16);
OF_BYTES(brain, brain8, 16);
#endif
OF_BYTES(float, float1, 4);
OF_ELEMENTS(float, float3, 3);
OF_BYTES(float, float8, 32);
OF_BYTES(float, float16, 64);
OF_BYTES(double, double1, 8);
OF_BYTES(double, double8, 64);
OF_ELEMENTS(bool, bool8, 8);
OF_ELEMENTS(bool, bool20, 20);
OF_ELEMENTS(bool, bool64, 64);
#endif
#if defined __x86_64__ && !defined _MSC_VER && defined __clang__
typedef _Complex __float128 complex_quad;
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
#define VECTOR(T, n, value)                                                                                  \
	static inline void fill(T &x, unsigned k)                                                            \
	{                                                                                                    \
		for (unsigned i = 0; i < n; i++)                                                             \
			x[i] = value;                                                                        \
	}                                                                                                    \
	static inline bool same(const T &x, unsigned k)                                                      \
	{                                                                                                    \
		for (unsigned i = 0; i < n; i++)                                                             \
			if (x[i] != value)                                                                   \
				return false;                                                                \
		return true;                                                                                 \
	}
/* Bits from the lowest; clang 22 at -O2 may get single ones wrong. */
#define BOOLS(T, n)                                                                                          \
	static inline void fill(T &x, unsigned k)                                                            \
	{                                                                                                    \
		unsigned long long bits = scramble(k) >> (64 - n);                                           \
		__builtin_memcpy(&x, &bits, sizeof(T));                                                      \
	}                                                                                                    \
	static inline bool same(const T &x, unsigned k)                                                      \
	{                                                                                                    \
		unsigned long long bits = 0;                                                                 \
		__builtin_memcpy(&bits, &x, sizeof(T));                                                      \
		return bits << (64 - n) >> (64 - n) == scramble(k) >> (64 - n);                              \
	}
/* What has no padding, whatever its values mean; a float is no NaN, which conversions change. */
#define BYTES(T)                                                                                             \
	static inline void fill(T &x, unsigned k)                                                            \
	{                                                                                                    \
		unsigned char bytes[sizeof(T)];                                                              \
		for (unsigned i = 0; i < sizeof(T); i++)                                                     \
			bytes[i] = (unsigned char)(scramble(k + i) >> 11 & 0xbf);                            \
		__builtin_memcpy(&x, bytes, sizeof(T));                                                      \
	}                                                                                                    \
	static inline bool same(const T &x, unsigned k)                                                      \
	{                                                                                                    \
		T y;                                                                                         \
		fill(y, k);                                                                                  \
		return __builtin_memcmp(&x, &y, sizeof(T)) == 0;                                             \
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
INTEGER(fruit)
INTEGER(long long)
INTEGER(unsigned long long)
FLOATING(float)
FLOATING(double)
FLOATING(long double)
COMPLEX(complex_float, float)
COMPLEX(complex_double, double)
COMPLEX(complex_long, long double)
BYTES(unsigned __int128)
BYTES(complex_char)
BYTES(complex_int)
BYTES(complex_wide)
BYTES(char8)
BYTES(char16)
BYTES(int4)
BYTES(float2)
BYTES(float4)
BYTES(double2)
#if defined __x86_64__ && !defined _MSC_VER
BYTES(__float128)
#endif
#ifdef __clang__
#ifndef __wasm__
BYTES(half)
BYTES(brain)
BYTES(complex_half)
#endif
BYTES(member_data)
BYTES(member_function)
BYTES(char1)
BYTES(char2)
BYTES(char32)
BYTES(short2)
BYTES(int2)
BYTES(long1)
BYTES(wide1)
BYTES(wide2)
#ifndef __wasm__
BYTES(half2)
BYTES(brain2)
BYTES(half4)
BYTES(half8)
BYTES(brain8)
#endif
BYTES(float1)
BYTES(float8)
BYTES(float16)
BYTES(double1)
BYTES(double8)
VECTOR(char3, 3, (signed char)(scramble(k + i) >> 9))
VECTOR(short3, 3, (short)(scramble(k + i) >> 9))
VECTOR(int3, 3, (int)(scramble(k + i) >> 9))
VECTOR(float3, 3, (float)((k + i) % 113))
BOOLS(bool8, 8)
BOOLS(bool20, 20)
BOOLS(bool64, 64)
#if defined __x86_64__ && !defined _MSC_VER
BYTES(complex_quad)
#endif

template <class T, class U> static inline void fill_bits(T &x, unsigned k, int bits)
{
	U all = 0;
	for (int at = 0; at < bits; at += 64)
		all |= (U)((U)(scramble(k + at) >> 7) << at);
	x = (T)all;
}

#define BIT_INTEGER(T, U)                                                                                    \
	template <int n> static inline void fill(T &x, unsigned k)                                           \
	{                                                                                                    \
		fill_bits<T, U>(x, k, n);                                                                    \
	}                                                                                                    \
	template <int n> static inline bool same(const T &x, unsigned k)                                     \
	{                                                                                                    \
		T y;                                                                                         \
		fill(y, k);                                                                                  \
		return x == y;                                                                               \
	}
BIT_INTEGER(_BitInt(n), unsigned _BitInt(n))
BIT_INTEGER(unsigned _BitInt(n), unsigned _BitInt(n))
#endif

/* As a field of so many bits keeps it. */
template <class T> static inline bool same_bits(T got, unsigned k, int bits)
{
	T y;
	fill(y, k);
	int spare = (int)sizeof(T) * 8 - bits;
	return got == (T)((T)(y << spare) >> spare);
}

enum { RESULT = 99 };

static int failures;

static inline void fail(int function, int place)
{
	if (failures++ < 20)
		printf("function %d: %s %d is wrong\n", function, place == RESULT ? "result" : "parameter",
		       place);
}

static inline int finish(void)
{
	return failures != 0;
}

#if defined __clang__ && !defined __wasm__
/* Of compiler-rt, which not every machine has. */
extern "C" brain __truncsfbf2(float value)
{
	unsigned bits;
	__builtin_memcpy(&bits, &value, sizeof bits);
	unsigned short high = (unsigned short)(bits >> 16);
	return __builtin_bit_cast(brain, high);
}
#endif

/* Something to run on the way out. */
extern "C" void noted() noexcept {}
