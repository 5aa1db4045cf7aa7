// Four threads that throw and catch at the same time, and meet at the guard of a static variable.
#include <cstdio>
#include <pthread.h>
#include <unistd.h>

static int made;

struct Slow {
	int n;
	Slow() : n(++made) { usleep(20000); }
};

static int deep(int n)
{
	if (n == 0)
		throw 1;
	return deep(n - 1) + 1;
}

static void *work(void *)
{
	static Slow slow;
	size_t caught = 0;
	for (int i = 0; i < 200; i++) {
		try {
			deep(i % 8);
		} catch (int n) {
			caught += n;
		}
	}
	return (void *)(caught * slow.n);
}

int main()
{
	pthread_t threads[4];
	size_t sum = 0;
	for (pthread_t &t : threads)
		pthread_create(&t, nullptr, work, nullptr);
	for (pthread_t t : threads) {
		void *result;
		pthread_join(t, &result);
		sum += (size_t)result;
	}
	printf("%zu caught, %d made\n", sum, made);
	return 0;
}
