#include "language.h"

#include <cstdarg>

struct Ints {
	int32_t a, b;
};
struct Doubles {
	double a, b;
};
struct Mixed {
	int64_t a;
	double b;
};
struct Reversed {
	double a;
	int32_t b;
};
struct Floats {
	float a, b, c;
};
struct Large {
	int64_t a, b, c;
};
struct __attribute__((packed)) Packed {
	int8_t a;
	int64_t b;
};
struct Aligned {
	__int128 a;
};
struct Chars {
	char a[3];
};
union Union {
	int64_t a;
	double b;
};
struct Long {
	long double a;
};

extern "C" {
double read_Ints(Ints *out, int32_t n, ...);
double read_Doubles(Doubles *out, int32_t n, ...);
double read_Mixed(Mixed *out, int32_t n, ...);
double read_Reversed(Reversed *out, int32_t n, ...);
double read_Floats(Floats *out, int32_t n, ...);
double read_Large(Large *out, int32_t n, ...);
double read_Packed(Packed *out, int32_t n, ...);
double read_Aligned(Aligned *out, int32_t n, ...);
double read_Chars(Chars *out, int32_t n, ...);
double read_Union(Union *out, int32_t n, ...);
double read_Long(Long *out, int32_t n, ...);
}

// Bytes 1, 2, 3 … of each object; of a long double, a number.
template <class T> static T make(int start)
{
	T t;
	unsigned char *bytes = (unsigned char *)&t;
	for (size_t i = 0; i < sizeof(T); i++)
		bytes[i] = (unsigned char)(start + i);
	return t;
}
template <> Long make<Long>(int start) { return {(long double)start / 8}; }

template <class T> static bool same(const T &x, const T &y) { return memcmp(&x, &y, sizeof(T)) == 0; }
template <> bool same<Long>(const Long &x, const Long &y) { return x.a == y.a; }
template <> bool same<Reversed>(const Reversed &x, const Reversed &y) { return x.a == y.a && x.b == y.b; }

template <class T> static void check(const char *what, double (*read)(T *, int32_t, ...))
{
	T out[6], in[6];
	for (int i = 0; i < 6; i++)
		in[i] = make<T>(10 * i + 1);
	double sum = read(out, 6, in[0], 1, 1.5, in[1], 2, 2.5, in[2], 3, 3.5, in[3], 4, 4.5, in[4], 5, 5.5, in[5], 6, 6.5);
	int32_t right = 0;
	for (int i = 0; i < 6; i++)
		right = right * 2 + same(in[i], out[i]);
	show_double(what, sum);
	show(what, right);
}

int main()
{
	check("Ints", read_Ints);
	check("Doubles", read_Doubles);
	check("Mixed", read_Mixed);
	check("Reversed", read_Reversed);
	check("Floats", read_Floats);
	check("Large", read_Large);
	check("Packed", read_Packed);
	check("Aligned", read_Aligned);
	check("Chars", read_Chars);
	check("Union", read_Union);
	check("Long", read_Long);
	return 0;
}

#ifdef TWIN
#define READ(type)                                                                                           \
	double read_##type(type *out, int32_t n, ...)                                                        \
	{                                                                                                    \
		va_list list;                                                                                \
		va_start(list, n);                                                                           \
		double sum = 0;                                                                              \
		for (int32_t i = 0; i < n; i++) {                                                            \
			out[i] = va_arg(list, type);                                                         \
			int32_t w = va_arg(list, int32_t);                                                   \
			sum += w * va_arg(list, double);                                                     \
		}                                                                                            \
		va_end(list);                                                                                \
		return sum;                                                                                  \
	}
READ(Ints)
READ(Doubles)
READ(Mixed)
READ(Reversed)
READ(Floats)
READ(Large)
READ(Packed)
READ(Aligned)
READ(Chars)
READ(Union)
READ(Long)
#endif
