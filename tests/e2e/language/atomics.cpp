#include "language.h"

#include <thread>

extern "C" {
int8_t fetch_add_s8(int8_t *p, int8_t v);
int8_t then_add_s8(int8_t *p, int8_t v);
int8_t fetch_sub_s8(int8_t *p, int8_t v);
int8_t then_sub_s8(int8_t *p, int8_t v);
int8_t fetch_and_s8(int8_t *p, int8_t v);
int8_t then_and_s8(int8_t *p, int8_t v);
int8_t fetch_or_s8(int8_t *p, int8_t v);
int8_t then_or_s8(int8_t *p, int8_t v);
int8_t fetch_xor_s8(int8_t *p, int8_t v);
int8_t then_xor_s8(int8_t *p, int8_t v);
int8_t fetch_nand_s8(int8_t *p, int8_t v);
int8_t then_nand_s8(int8_t *p, int8_t v);
int8_t fetch_max_s8(int8_t *p, int8_t v);
int8_t fetch_min_s8(int8_t *p, int8_t v);
int8_t exchange_s8(int8_t *p, int8_t v);
uint16_t fetch_add_u16(uint16_t *p, uint16_t v);
uint16_t then_add_u16(uint16_t *p, uint16_t v);
uint16_t fetch_sub_u16(uint16_t *p, uint16_t v);
uint16_t then_sub_u16(uint16_t *p, uint16_t v);
uint16_t fetch_and_u16(uint16_t *p, uint16_t v);
uint16_t then_and_u16(uint16_t *p, uint16_t v);
uint16_t fetch_or_u16(uint16_t *p, uint16_t v);
uint16_t then_or_u16(uint16_t *p, uint16_t v);
uint16_t fetch_xor_u16(uint16_t *p, uint16_t v);
uint16_t then_xor_u16(uint16_t *p, uint16_t v);
uint16_t fetch_nand_u16(uint16_t *p, uint16_t v);
uint16_t then_nand_u16(uint16_t *p, uint16_t v);
uint16_t fetch_max_u16(uint16_t *p, uint16_t v);
uint16_t fetch_min_u16(uint16_t *p, uint16_t v);
uint16_t exchange_u16(uint16_t *p, uint16_t v);
int32_t fetch_add_s32(int32_t *p, int32_t v);
int32_t then_add_s32(int32_t *p, int32_t v);
int32_t fetch_sub_s32(int32_t *p, int32_t v);
int32_t then_sub_s32(int32_t *p, int32_t v);
int32_t fetch_and_s32(int32_t *p, int32_t v);
int32_t then_and_s32(int32_t *p, int32_t v);
int32_t fetch_or_s32(int32_t *p, int32_t v);
int32_t then_or_s32(int32_t *p, int32_t v);
int32_t fetch_xor_s32(int32_t *p, int32_t v);
int32_t then_xor_s32(int32_t *p, int32_t v);
int32_t fetch_nand_s32(int32_t *p, int32_t v);
int32_t then_nand_s32(int32_t *p, int32_t v);
int32_t fetch_max_s32(int32_t *p, int32_t v);
int32_t fetch_min_s32(int32_t *p, int32_t v);
int32_t exchange_s32(int32_t *p, int32_t v);
uint64_t fetch_add_u64(uint64_t *p, uint64_t v);
uint64_t then_add_u64(uint64_t *p, uint64_t v);
uint64_t fetch_sub_u64(uint64_t *p, uint64_t v);
uint64_t then_sub_u64(uint64_t *p, uint64_t v);
uint64_t fetch_and_u64(uint64_t *p, uint64_t v);
uint64_t then_and_u64(uint64_t *p, uint64_t v);
uint64_t fetch_or_u64(uint64_t *p, uint64_t v);
uint64_t then_or_u64(uint64_t *p, uint64_t v);
uint64_t fetch_xor_u64(uint64_t *p, uint64_t v);
uint64_t then_xor_u64(uint64_t *p, uint64_t v);
uint64_t fetch_nand_u64(uint64_t *p, uint64_t v);
uint64_t then_nand_u64(uint64_t *p, uint64_t v);
uint64_t fetch_max_u64(uint64_t *p, uint64_t v);
uint64_t fetch_min_u64(uint64_t *p, uint64_t v);
uint64_t exchange_u64(uint64_t *p, uint64_t v);
bool replace(double *p, double old, double now);
double add_double(double *p, double v), maximum(double *p, double v), minimum_num(double *p, double v);
uint32_t inc_wrap(uint32_t *p, uint32_t v), dec_wrap(uint32_t *p, uint32_t v);
bool lock(int8_t *p);
void unlock(int8_t *p);
}

template <typename T> static void show_update(const char *what, T (*update)(T *, T), int64_t a, int64_t b)
{
	T place = (T)a;
	show(what, (int64_t)update(&place, (T)b));
	show("  leaves", (int64_t)place);
}

static int8_t flag;
static int64_t counter;

static void count()
{
	for (int i = 0; i < 20000; i++) {
		while (lock(&flag))
			std::this_thread::yield();
		counter++;
		unlock(&flag);
	}
}

static void show_doubles(double a, double b)
{
	double x = a, y = a, z = a, w = a;
	show_double("add_double", add_double(&x, b));
	show_double("maximum", maximum(&y, b));
	show_double("minimum_num", minimum_num(&z, b));
	show_double("  leaves", z);
	show("replace", replace(&w, a, b));
	show("replace", replace(&w, a + 1, b + 2));
	show_double("  leaves", w);
}

int main()
{
#define SHOW(F, T) show_update<T>(#F, F, a, b);
	for (int64_t a : edges)
		for (int64_t b : edges) {
			SHOW(fetch_add_s8, int8_t)
			SHOW(then_add_s8, int8_t)
			SHOW(fetch_sub_s8, int8_t)
			SHOW(then_sub_s8, int8_t)
			SHOW(fetch_and_s8, int8_t)
			SHOW(then_and_s8, int8_t)
			SHOW(fetch_or_s8, int8_t)
			SHOW(then_or_s8, int8_t)
			SHOW(fetch_xor_s8, int8_t)
			SHOW(then_xor_s8, int8_t)
			SHOW(fetch_nand_s8, int8_t)
			SHOW(then_nand_s8, int8_t)
			SHOW(fetch_max_s8, int8_t)
			SHOW(fetch_min_s8, int8_t)
			SHOW(exchange_s8, int8_t)
			SHOW(fetch_add_u16, uint16_t)
			SHOW(then_add_u16, uint16_t)
			SHOW(fetch_sub_u16, uint16_t)
			SHOW(then_sub_u16, uint16_t)
			SHOW(fetch_and_u16, uint16_t)
			SHOW(then_and_u16, uint16_t)
			SHOW(fetch_or_u16, uint16_t)
			SHOW(then_or_u16, uint16_t)
			SHOW(fetch_xor_u16, uint16_t)
			SHOW(then_xor_u16, uint16_t)
			SHOW(fetch_nand_u16, uint16_t)
			SHOW(then_nand_u16, uint16_t)
			SHOW(fetch_max_u16, uint16_t)
			SHOW(fetch_min_u16, uint16_t)
			SHOW(exchange_u16, uint16_t)
			SHOW(fetch_add_s32, int32_t)
			SHOW(then_add_s32, int32_t)
			SHOW(fetch_sub_s32, int32_t)
			SHOW(then_sub_s32, int32_t)
			SHOW(fetch_and_s32, int32_t)
			SHOW(then_and_s32, int32_t)
			SHOW(fetch_or_s32, int32_t)
			SHOW(then_or_s32, int32_t)
			SHOW(fetch_xor_s32, int32_t)
			SHOW(then_xor_s32, int32_t)
			SHOW(fetch_nand_s32, int32_t)
			SHOW(then_nand_s32, int32_t)
			SHOW(fetch_max_s32, int32_t)
			SHOW(fetch_min_s32, int32_t)
			SHOW(exchange_s32, int32_t)
			SHOW(fetch_add_u64, uint64_t)
			SHOW(then_add_u64, uint64_t)
			SHOW(fetch_sub_u64, uint64_t)
			SHOW(then_sub_u64, uint64_t)
			SHOW(fetch_and_u64, uint64_t)
			SHOW(then_and_u64, uint64_t)
			SHOW(fetch_or_u64, uint64_t)
			SHOW(then_or_u64, uint64_t)
			SHOW(fetch_xor_u64, uint64_t)
			SHOW(then_xor_u64, uint64_t)
			SHOW(fetch_nand_u64, uint64_t)
			SHOW(then_nand_u64, uint64_t)
			SHOW(fetch_max_u64, uint64_t)
			SHOW(fetch_min_u64, uint64_t)
			SHOW(exchange_u64, uint64_t)
		}
	uint32_t place = 5;
	for (uint32_t limit : {7u, 7u, 7u, 7u, 0u, 3u})
		show("inc_wrap", inc_wrap(&place, limit));
	for (uint32_t limit : {7u, 7u, 2u, 9u, 0u})
		show("dec_wrap", dec_wrap(&place, limit));
	const double values[] = {0.0, -0.0, 1.5, -2.0, INFINITY, NAN};
	for (double a : values)
		for (double b : values)
			show_doubles(a, b);
	std::thread other(count);
	count();
	other.join();
	show("counter", counter);
	show("flag", flag);
	return 0;
}

#ifdef TWIN
int8_t fetch_add_s8(int8_t *p, int8_t v) { return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST); }
int8_t then_add_s8(int8_t *p, int8_t v) { return __atomic_add_fetch(p, v, __ATOMIC_SEQ_CST); }
int8_t fetch_sub_s8(int8_t *p, int8_t v) { return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST); }
int8_t then_sub_s8(int8_t *p, int8_t v) { return __atomic_sub_fetch(p, v, __ATOMIC_SEQ_CST); }
int8_t fetch_and_s8(int8_t *p, int8_t v) { return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST); }
int8_t then_and_s8(int8_t *p, int8_t v) { return __atomic_and_fetch(p, v, __ATOMIC_SEQ_CST); }
int8_t fetch_or_s8(int8_t *p, int8_t v) { return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST); }
int8_t then_or_s8(int8_t *p, int8_t v) { return __atomic_or_fetch(p, v, __ATOMIC_SEQ_CST); }
int8_t fetch_xor_s8(int8_t *p, int8_t v) { return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST); }
int8_t then_xor_s8(int8_t *p, int8_t v) { return __atomic_xor_fetch(p, v, __ATOMIC_SEQ_CST); }
int8_t fetch_nand_s8(int8_t *p, int8_t v) { return __atomic_fetch_nand(p, v, __ATOMIC_SEQ_CST); }
int8_t then_nand_s8(int8_t *p, int8_t v) { return __atomic_nand_fetch(p, v, __ATOMIC_SEQ_CST); }
int8_t fetch_max_s8(int8_t *p, int8_t v) { int8_t old = *p; *p = old > v ? old : v; return old; }
int8_t fetch_min_s8(int8_t *p, int8_t v) { int8_t old = *p; *p = old < v ? old : v; return old; }
int8_t exchange_s8(int8_t *p, int8_t v) { return __atomic_exchange_n(p, v, __ATOMIC_ACQ_REL); }
uint16_t fetch_add_u16(uint16_t *p, uint16_t v) { return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST); }
uint16_t then_add_u16(uint16_t *p, uint16_t v) { return __atomic_add_fetch(p, v, __ATOMIC_SEQ_CST); }
uint16_t fetch_sub_u16(uint16_t *p, uint16_t v) { return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST); }
uint16_t then_sub_u16(uint16_t *p, uint16_t v) { return __atomic_sub_fetch(p, v, __ATOMIC_SEQ_CST); }
uint16_t fetch_and_u16(uint16_t *p, uint16_t v) { return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST); }
uint16_t then_and_u16(uint16_t *p, uint16_t v) { return __atomic_and_fetch(p, v, __ATOMIC_SEQ_CST); }
uint16_t fetch_or_u16(uint16_t *p, uint16_t v) { return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST); }
uint16_t then_or_u16(uint16_t *p, uint16_t v) { return __atomic_or_fetch(p, v, __ATOMIC_SEQ_CST); }
uint16_t fetch_xor_u16(uint16_t *p, uint16_t v) { return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST); }
uint16_t then_xor_u16(uint16_t *p, uint16_t v) { return __atomic_xor_fetch(p, v, __ATOMIC_SEQ_CST); }
uint16_t fetch_nand_u16(uint16_t *p, uint16_t v) { return __atomic_fetch_nand(p, v, __ATOMIC_SEQ_CST); }
uint16_t then_nand_u16(uint16_t *p, uint16_t v) { return __atomic_nand_fetch(p, v, __ATOMIC_SEQ_CST); }
uint16_t fetch_max_u16(uint16_t *p, uint16_t v) { uint16_t old = *p; *p = old > v ? old : v; return old; }
uint16_t fetch_min_u16(uint16_t *p, uint16_t v) { uint16_t old = *p; *p = old < v ? old : v; return old; }
uint16_t exchange_u16(uint16_t *p, uint16_t v) { return __atomic_exchange_n(p, v, __ATOMIC_ACQ_REL); }
int32_t fetch_add_s32(int32_t *p, int32_t v) { return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST); }
int32_t then_add_s32(int32_t *p, int32_t v) { return __atomic_add_fetch(p, v, __ATOMIC_SEQ_CST); }
int32_t fetch_sub_s32(int32_t *p, int32_t v) { return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST); }
int32_t then_sub_s32(int32_t *p, int32_t v) { return __atomic_sub_fetch(p, v, __ATOMIC_SEQ_CST); }
int32_t fetch_and_s32(int32_t *p, int32_t v) { return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST); }
int32_t then_and_s32(int32_t *p, int32_t v) { return __atomic_and_fetch(p, v, __ATOMIC_SEQ_CST); }
int32_t fetch_or_s32(int32_t *p, int32_t v) { return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST); }
int32_t then_or_s32(int32_t *p, int32_t v) { return __atomic_or_fetch(p, v, __ATOMIC_SEQ_CST); }
int32_t fetch_xor_s32(int32_t *p, int32_t v) { return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST); }
int32_t then_xor_s32(int32_t *p, int32_t v) { return __atomic_xor_fetch(p, v, __ATOMIC_SEQ_CST); }
int32_t fetch_nand_s32(int32_t *p, int32_t v) { return __atomic_fetch_nand(p, v, __ATOMIC_SEQ_CST); }
int32_t then_nand_s32(int32_t *p, int32_t v) { return __atomic_nand_fetch(p, v, __ATOMIC_SEQ_CST); }
int32_t fetch_max_s32(int32_t *p, int32_t v) { int32_t old = *p; *p = old > v ? old : v; return old; }
int32_t fetch_min_s32(int32_t *p, int32_t v) { int32_t old = *p; *p = old < v ? old : v; return old; }
int32_t exchange_s32(int32_t *p, int32_t v) { return __atomic_exchange_n(p, v, __ATOMIC_ACQ_REL); }
uint64_t fetch_add_u64(uint64_t *p, uint64_t v) { return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST); }
uint64_t then_add_u64(uint64_t *p, uint64_t v) { return __atomic_add_fetch(p, v, __ATOMIC_SEQ_CST); }
uint64_t fetch_sub_u64(uint64_t *p, uint64_t v) { return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST); }
uint64_t then_sub_u64(uint64_t *p, uint64_t v) { return __atomic_sub_fetch(p, v, __ATOMIC_SEQ_CST); }
uint64_t fetch_and_u64(uint64_t *p, uint64_t v) { return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST); }
uint64_t then_and_u64(uint64_t *p, uint64_t v) { return __atomic_and_fetch(p, v, __ATOMIC_SEQ_CST); }
uint64_t fetch_or_u64(uint64_t *p, uint64_t v) { return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST); }
uint64_t then_or_u64(uint64_t *p, uint64_t v) { return __atomic_or_fetch(p, v, __ATOMIC_SEQ_CST); }
uint64_t fetch_xor_u64(uint64_t *p, uint64_t v) { return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST); }
uint64_t then_xor_u64(uint64_t *p, uint64_t v) { return __atomic_xor_fetch(p, v, __ATOMIC_SEQ_CST); }
uint64_t fetch_nand_u64(uint64_t *p, uint64_t v) { return __atomic_fetch_nand(p, v, __ATOMIC_SEQ_CST); }
uint64_t then_nand_u64(uint64_t *p, uint64_t v) { return __atomic_nand_fetch(p, v, __ATOMIC_SEQ_CST); }
uint64_t fetch_max_u64(uint64_t *p, uint64_t v) { uint64_t old = *p; *p = old > v ? old : v; return old; }
uint64_t fetch_min_u64(uint64_t *p, uint64_t v) { uint64_t old = *p; *p = old < v ? old : v; return old; }
uint64_t exchange_u64(uint64_t *p, uint64_t v) { return __atomic_exchange_n(p, v, __ATOMIC_ACQ_REL); }
bool replace(double *p, double old, double now)
{
	uint64_t have, want;
	memcpy(&have, p, 8);
	memcpy(&want, &old, 8);
	if (have == want)
		*p = now;
	return have == want;
}
double add_double(double *p, double v) { return *p += v; }
static double chosen(double x, double y, bool max)
{
	if (x == y)
		return std::signbit(x) == max ? y : x;
	return (x > y) == max ? x : y;
}
double maximum(double *p, double v) { return *p = *p != *p || v != v ? NAN : chosen(*p, v, true); }
double minimum_num(double *p, double v)
{
	double old = *p;
	*p = v != v ? old : old != old ? v : chosen(old, v, false);
	return old;
}
uint32_t inc_wrap(uint32_t *p, uint32_t v) { return *p = *p >= v ? 0 : *p + 1; }
uint32_t dec_wrap(uint32_t *p, uint32_t v) { return *p = *p == 0 || *p > v ? v : *p - 1; }
bool lock(int8_t *p) { return __atomic_test_and_set(p, __ATOMIC_ACQUIRE); }
void unlock(int8_t *p) { __atomic_clear(p, __ATOMIC_RELEASE); }
#endif
