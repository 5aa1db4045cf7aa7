#include "language.h"

extern "C" {
bool add_overflow(int64_t a, int64_t b, int32_t *out), sub_overflow(int64_t a, int64_t b, uint64_t *out);
bool mul_overflow(int64_t a, int64_t b, int64_t *out);
int32_t follow(int32_t i);
int32_t hints(int32_t *p, int32_t *q);
double muladd(double a, double b, double c);
void constants(int32_t *out);
}

int main()
{
	for (int64_t a : edges)
		for (int64_t b : edges) {
			int32_t sum;
			uint64_t difference;
			int64_t product;
			show("add", add_overflow(a, b, &sum));
			show("add", sum);
			show("sub", sub_overflow(a, b, &difference));
			show("sub", (int64_t)difference);
			show("mul", mul_overflow(a, b, &product));
			show("mul", product);
		}
	int32_t one = 1, two = 2, out[5];
	show("follow", follow(0) * 100 + follow(1));
	show("hints", hints(&one, &two));
	show_double("muladd", muladd(2, 3, 0.5));
	constants(out);
	for (int32_t v : out)
		show("constant", v);
	return 0;
}

#ifdef TWIN
bool add_overflow(int64_t a, int64_t b, int32_t *out) { return __builtin_add_overflow(a, b, out); }
bool sub_overflow(int64_t a, int64_t b, uint64_t *out) { return __builtin_sub_overflow(a, b, out); }
bool mul_overflow(int64_t a, int64_t b, int64_t *out) { return __builtin_mul_overflow(a, b, out); }
int32_t follow(int32_t i) { return i ? 33 : 31; }
int32_t hints(int32_t *p, int32_t *q) { return (*p + *q) * 10 + 1; }
double muladd(double a, double b, double c) { return a * b + c; }
void constants(int32_t *out)
{
	const int32_t values[] = {-2, 6, -8, 7, 24};
	memcpy(out, values, sizeof values);
}
#endif
