#include "language.h"

extern "C" void generators(int32_t n);

int main()
{
	for (int32_t n : {0, 1, 5, 9, 26})
		generators(n);
	return 0;
}

#ifdef TWIN
// The values of the same pipelines, by loops.
namespace
{

int32_t prime(int32_t index)
{
	int32_t n = 1;
	for (index++; index > 0;) {
		n++;
		int32_t divisor = 2;
		while (n % divisor != 0)
			divisor++;
		index -= divisor == n;
	}
	return n;
}

struct Collatz {
	int32_t at;
	bool next(int32_t *out)
	{
		while (at != 0) {
			const int32_t n = at;
			at = n == 1 ? 0 : n % 2 ? n * 3 + 1 : n / 2;
			*out = n;
			if (n % 2)
				return true;
		}
		return false;
	}
};

void squares(int32_t n)
{
	for (int32_t i = 0; i < n; i++)
		printf(" %d", i * i);
}

void fibonacci(int32_t n)
{
	for (int32_t a = 0, b = 1; n > 0; n--) {
		printf(" %d", a);
		b += a;
		a = b - a;
	}
}

void primes(int32_t n)
{
	for (int32_t i = 0; i < n; i++)
		printf(" %d", prime(i));
}

void odd_collatz(int32_t n)
{
	Collatz way = {n};
	for (int32_t value; way.next(&value);)
		printf(" %d", value);
}

void sums(int32_t n)
{
	for (int32_t i = 0; i < n; i++)
		printf(" %d", i * i + prime(i));
}

void checked(int32_t n)
{
	for (int32_t i = 0; i < n; i++) {
		const int32_t sum = i * i + prime(i);
		if (sum > 60)
			throw sum;
		printf(" %d", sum * sum);
	}
}

const struct Demo {
	const char *name;
	void (*print)(int32_t n);
} demos[] = {{"squares", squares},         {"fibonacci", fibonacci}, {"primes", primes},
             {"odd collatz", odd_collatz}, {"sums", sums},           {"checked", checked}};

} // namespace

void generators(int32_t n)
{
	for (const Demo &demo : demos) {
		printf("%s(%d):", demo.name, n);
		try {
			demo.print(n);
		} catch (int thrown) {
			printf(" threw %d", thrown);
		}
		printf("; live 0\n");
	}
	int32_t sum = 0, largest = 0;
	Collatz way = {n + 1};
	for (int32_t value; way.next(&value);) {
		sum += value;
		largest = value > largest ? value : largest;
	}
	printf("sum %d, largest %d\n", sum, largest);
}
#endif
