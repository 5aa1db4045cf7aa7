// Uses the variables of thread_local.cir, and has one of its own. clang looks at __tls_guard before each use, as circ does.
#include <cstdio>
#include <pthread.h>

static int step = 0;

extern "C" {
int next(int n)
{
	return n + step;
}

void gone(int *v)
{
	printf("gone %d\n", *v);
	fflush(stdout);
}
extern thread_local int a;
thread_local int c = next(32);
int sum();
}

static void *work(void *)
{
	int n = sum();
	printf("other thread: sum %d, a %d\n", n, a);
	fflush(stdout);
	return nullptr;
}

int main()
{
	int n = sum();
	printf("sum %d, a %d\n", n, a);
	fflush(stdout);
	pthread_t t;
	pthread_create(&t, nullptr, work, nullptr);
	pthread_join(t, nullptr);
	printf("first thread: a %d\n", a);
	fflush(stdout);
}
