#include "language.h"

#include <cstdlib>

extern "C" void generators(int32_t n);

#ifndef TWIN_ALONE
int main()
{
	for (int32_t n : {0, 1, 5, 9, 26})
		generators(n);
	return 0;
}
#endif

#ifdef TWIN
namespace
{

struct Generator {
	bool (*next)(Generator *g, int32_t *out);
	Generator *source, *other;
	int32_t (*function)(int32_t);
	int32_t a, b;
};

int32_t live;

Generator *generator_new(bool (*next)(Generator *, int32_t *), Generator *source, Generator *other,
                         int32_t (*function)(int32_t), int32_t a, int32_t b)
{
	Generator *g = (Generator *)malloc(sizeof *g);
	*g = {next, source, other, function, a, b};
	live++;
	return g;
}

void generator_drop(Generator *g) noexcept
{
	while (g) {
		Generator *source = g->source;
		if (g->other)
			generator_drop(g->other);
		free(g);
		live--;
		g = source;
	}
}

bool generator_next(Generator *g, int32_t *out)
{
	return g->next(g, out);
}

bool source_next(Generator *g, int32_t *out)
{
	return generator_next(g->source, out);
}

bool next_range(Generator *g, int32_t *out)
{
	const bool more = g->a < g->b;
	if (more)
		*out = g->a++;
	return more;
}

bool next_fibonacci(Generator *g, int32_t *out)
{
	const int32_t a = g->a, b = g->b;
	*out = a;
	g->a = b;
	g->b = a + b;
	return true;
}

bool next_iterate(Generator *g, int32_t *out)
{
	const int32_t a = g->a, b = g->b;
	if (a == 0)
		return false;
	*out = a;
	g->a = a == b ? 0 : g->function(a);
	return true;
}

bool next_map(Generator *g, int32_t *out)
{
	const bool more = source_next(g, out);
	if (more)
		*out = g->function(*out);
	return more;
}

bool next_filter(Generator *g, int32_t *out)
{
	while (source_next(g, out))
		if (g->function(*out))
			return true;
	return false;
}

bool next_take(Generator *g, int32_t *out)
{
	if (g->a <= 0)
		return false;
	g->a--;
	return source_next(g, out);
}

bool next_sum(Generator *g, int32_t *out)
{
	int32_t second;
	const bool both = source_next(g, out) && generator_next(g->other, &second);
	if (both)
		*out += second;
	return both;
}

bool next_indivisible(Generator *g, int32_t *out)
{
	const int32_t a = g->a;
	do {
		if (!source_next(g, out))
			return false;
	} while (*out % a == 0);
	return true;
}

bool next_prime(Generator *g, int32_t *out)
{
	const bool more = source_next(g, out);
	if (more)
		g->source = generator_new(next_indivisible, g->source, nullptr, nullptr, *out, 0);
	return more;
}

bool next_checked(Generator *g, int32_t *out)
{
	const bool more = source_next(g, out);
	if (more && *out > g->a)
		throw *out;
	return more;
}

int32_t square(int32_t n)
{
	return n * n;
}

int32_t odd(int32_t n)
{
	return n & 1;
}

int32_t collatz(int32_t n)
{
	return odd(n) ? n * 3 + 1 : n / 2;
}

int32_t add(int32_t a, int32_t b)
{
	return a + b;
}

int32_t larger(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

Generator *make_plain(bool (*next)(Generator *, int32_t *), int32_t a, int32_t b)
{
	return generator_new(next, nullptr, nullptr, nullptr, a, b);
}

Generator *make_range(int32_t from, int32_t to)
{
	return make_plain(next_range, from, to);
}

Generator *make_on(bool (*next)(Generator *, int32_t *), Generator *source, int32_t (*function)(int32_t),
                   int32_t a)
{
	return generator_new(next, source, nullptr, function, a, 0);
}

Generator *make_take(Generator *source, int32_t n)
{
	return make_on(next_take, source, nullptr, n);
}

Generator *make_squares(int32_t n)
{
	return make_on(next_map, make_range(0, n), square, 0);
}

Generator *make_fibonacci(int32_t n)
{
	return make_take(make_plain(next_fibonacci, 0, 1), n);
}

Generator *make_primes(int32_t n)
{
	return make_take(make_on(next_prime, make_range(2, 1000), nullptr, 0), n);
}

Generator *make_odd_collatz(int32_t n)
{
	return make_on(next_filter, generator_new(next_iterate, nullptr, nullptr, collatz, n, 1), odd, 0);
}

Generator *make_sums(int32_t n)
{
	Generator *primes = make_primes(100);
	return generator_new(next_sum, make_squares(n), primes, nullptr, 0, 0);
}

Generator *make_checked(int32_t n)
{
	return make_on(next_map, make_on(next_checked, make_sums(n), nullptr, 60), square, 0);
}

struct Owner {
	Generator *g;
	~Owner()
	{
		generator_drop(g);
	}
};

void print_all(Generator *g)
{
	int32_t value;
	while (generator_next(g, &value))
		printf(" %d", value);
}

struct Demo {
	const char *name;
	Generator *(*make)(int32_t n);
};

const Demo demos[] = {
    {"squares", make_squares},         {"fibonacci", make_fibonacci}, {"primes", make_primes},
    {"odd collatz", make_odd_collatz}, {"sums", make_sums},           {"checked", make_checked},
};

void show_demo(const Demo *demo, int32_t n)
{
	printf("%s(%d):", demo->name, n);
	try {
		const Owner owner = {demo->make(n)};
		print_all(owner.g);
	} catch (int thrown) {
		printf(" threw %d", thrown);
	}
	printf("; live %d\n", live);
}

int32_t fold(Generator *g, int32_t first, int32_t (*function)(int32_t, int32_t))
{
	int32_t result = first, value;
	const Owner owner = {g};
	while (generator_next(g, &value))
		result = function(result, value);
	return result;
}

} // namespace

void generators(int32_t n)
{
	for (int32_t i = 0; i < 6; i++)
		show_demo(&demos[i], n);
	const int32_t sum = fold(make_odd_collatz(n + 1), 0, add);
	const int32_t largest = fold(make_odd_collatz(n + 1), 0, larger);
	printf("sum %d, largest %d\n", sum, largest);
}
#endif
