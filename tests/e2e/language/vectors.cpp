#include "language.h"

extern "C" {
void reverse_and_add(const int32_t *p, int32_t *q), choose(const int32_t *p, int32_t *q);
void gather(const int32_t *p, int32_t *q), part(const int32_t *p, int32_t *q);
int32_t lane(int32_t *p, uint32_t i, int32_t v), bits(const int32_t *p);
int32_t reduced(const int32_t *p), mask(const int32_t *p, const int32_t *q);
double halves(double a, double b), total(double a, double b);
}

static void show_lanes(const char *what, const int32_t *p)
{
	printf("%s %d %d %d %d\n", what, p[0], p[1], p[2], p[3]);
}

static void show_both(const char *what, void (*f)(const int32_t *, int32_t *), int32_t a, int32_t b)
{
	int32_t p[4] = {a, b, a + 1, 3}, q[4] = {b, b, 0, 3};
	f(p, q);
	show_lanes(what, q);
}

int main()
{
	for (int32_t a : {0, 1, -1, 7, INT32_MIN, 12345})
		for (int32_t b : {0, 2, -3, 1, INT32_MAX - 1}) {
			show_both("choose", choose, a, b);
			show_both("gather", gather, a / 2, b);
			show_both("part", part, a / 2, b);
			int32_t p[4] = {a / 4, b / 4, 5, -6}, q[4];
			reverse_and_add(p, q);
			show_lanes("reverse_and_add", q);
			show("bits", bits(p));
			show("reduced", reduced(p));
			show("mask", mask(p, q));
			show_double("total", total(a, b));
			for (uint32_t i = 0; i < 4; i++)
				show("lane", lane(p, i, 100 + (int32_t)i));
			show_lanes("lanes", p);
			show_double("halves", halves(a, b));
		}
	return 0;
}

#ifdef TWIN
void reverse_and_add(const int32_t *p, int32_t *q)
{
	const int32_t r[4] = {p[3], p[2], p[1], p[0]};
	for (int i = 0; i < 4; i++)
		q[i] = p[i] + r[i];
}
void choose(const int32_t *p, int32_t *q)
{
	for (int i = 0; i < 4; i++)
		q[i] = p[i] == q[i] ? 7 : p[i] < q[i] ? p[i] : q[i];
}
int32_t lane(int32_t *p, uint32_t i, int32_t v)
{
	int32_t old = p[i];
	p[i] = v;
	return old;
}
void gather(const int32_t *p, int32_t *q)
{
	for (int i = 0; i < 4; i++)
		q[i] = p[q[i] & 3];
}
void part(const int32_t *p, int32_t *q)
{
	for (int i = 0; i < 4; i++)
		q[i] = q[i] ? p[i] : q[i];
}
int32_t bits(const int32_t *p) { return p[2] != 0; }
int32_t reduced(const int32_t *p)
{
	int32_t most = p[0];
	uint32_t sum = 0, x = 0;
	for (int i = 0; i < 4; i++) {
		sum += (uint32_t)p[i];
		x ^= (uint32_t)p[i];
		most = p[i] > most ? p[i] : most;
	}
	return (int32_t)(sum + (uint32_t)most + x);
}
int32_t mask(const int32_t *p, const int32_t *q)
{
	int32_t r = 0;
	for (int i = 0; i < 4; i++)
		r |= (p[i] < q[i]) << i;
	return r;
}
double total(double a, double b) { return a + a + b - a * b; }
double halves(double a, double b) { return sqrt(a * a) - sqrt(b * b); }
#endif
