// What C++ wants of its runtime, each with an event.
#include <cstdio>
#include <exception>
#include <new>
#include <pthread.h>

struct Noted {
	int n;
	explicit Noted(int n) : n(n) { printf("+%d\n", n); }
	~Noted() { printf("-%d\n", n); }
};

static Noted global(1);
thread_local Noted of_thread(2);

static Noted &local()
{
	static Noted first_call(3);
	return first_call;
}

static Noted &fails_once()
{
	static bool failed;
	static Noted second_call([] {
		if (!failed) {
			failed = true;
			throw 4;
		}
		return 5;
	}());
	return second_call;
}

static void *in_thread(void *)
{
	of_thread.n = 20;
	try {
		throw Noted(6);
	} catch (const Noted &n) {
		printf("thread caught %d\n", n.n);
	}
	return nullptr;
}

int main(int argc, char **argv)
{
	printf("main %d %s\n", argc, argc > 1 ? argv[1] : "");
	of_thread.n = 21;
	local();
	local();
	try {
		fails_once();
	} catch (int n) {
		printf("caught %d\n", n);
	}
	fails_once();
	delete new Noted(7);
	delete[] new Noted[2]{Noted(8), Noted(9)};
	volatile size_t huge = (size_t)1 << 60;
	try {
		char *volatile p = new char[huge];
		printf("%p\n", (void *)p);
	} catch (const std::bad_alloc &e) {
		printf("%s\n", e.what());
	}
	try {
		char *volatile p = new char[huge];
		printf("%p\n", (void *)p);
	} catch (const std::exception &e) {
		printf("also %s\n", e.what());
	}
	pthread_t thread;
	pthread_create(&thread, nullptr, in_thread, nullptr);
	pthread_join(thread, nullptr);
	volatile char large[20000]; // more than a page: __chkstk
	large[0] = 1;
	printf("end %d\n", large[0]);
	return 5;
}
