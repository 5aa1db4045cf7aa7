#include "language.h"

#include <pthread.h>
#include <unistd.h>

struct Noted {
	int32_t id;
	explicit Noted(int32_t id);
	~Noted();
};

Noted::Noted(int32_t id) : id(id)
{
	show("made", id);
}

Noted::~Noted()
{
	show("gone", id);
	fflush(stdout);
}

#ifdef _MSC_VER
#include <new>
extern "C" {
void _ZN5NotedC1Ei(Noted *noted, int32_t id) { new (noted) Noted(id); }
void _ZN5NotedD1Ev(Noted *noted) { noted->~Noted(); }
}
#endif

extern "C" {
int32_t once(int32_t n);
int32_t share_a(int32_t n);
int32_t share_b(int32_t n);
int32_t nested();
int32_t per_thread(int32_t n);
int32_t make(int32_t n);
}

static int throws, pause_in_make;

int32_t make(int32_t n)
{
	show("make", n);
	if (throws-- > 0)
		throw n;
	if (pause_in_make)
		usleep(20000); // so that the other threads wait at the guard
	return n + 1;
}

static int32_t try_once(int32_t n)
{
	try {
		return once(n);
	} catch (int32_t thrown) {
		return -thrown;
	}
}

static int32_t try_per_thread(int32_t n)
{
	try {
		return per_thread(n);
	} catch (int32_t thrown) {
		return -thrown;
	}
}

static void *share(void *)
{
	return (void *)(intptr_t)(share_a(50) + share_b(50));
}

static void *in_thread(void *)
{
	show("per_thread", per_thread(200));
	show("per_thread", per_thread(201));
	return nullptr;
}

int main()
{
	throws = 2;
	for (int32_t n = 10; n < 14; n++)
		show("once", try_once(n));
	pthread_t threads[4];
	pause_in_make = 1;
	for (pthread_t &thread : threads)
		pthread_create(&thread, nullptr, share, nullptr);
	for (pthread_t thread : threads) {
		void *sum;
		pthread_join(thread, &sum);
		show("shared", (intptr_t)sum);
	}
	pause_in_make = 0;
	show("nested", nested());
	show("nested", nested());
	throws = 1;
	for (int32_t n = 100; n < 103; n++)
		show("per_thread", try_per_thread(n));
	pthread_create(&threads[0], nullptr, in_thread, nullptr);
	pthread_join(threads[0], nullptr);
	return 0;
}

#ifdef TWIN
int32_t once(int32_t n)
{
	static Noted s(make(n));
	return s.id;
}
static int32_t shared(int32_t n)
{
	static int32_t value = make(n);
	return value;
}
int32_t share_a(int32_t n) { return shared(n); }
int32_t share_b(int32_t n) { return shared(n); }
int32_t nested()
{
	static int32_t outer = [] {
		static int32_t inner = make(3);
		return make(inner);
	}();
	return outer;
}
int32_t per_thread(int32_t n)
{
	thread_local Noted t(make(n));
	return t.id;
}
#endif
