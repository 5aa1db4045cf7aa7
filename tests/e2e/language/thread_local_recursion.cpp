#include "language.h"

#include <pthread.h>

extern "C" {
int32_t make_each();
int32_t read_each();
}

int32_t make_each()
{
	int32_t so_far = read_each();
	show("so far", so_far);
	return so_far + 50;
}

static void *in_thread(void *)
{
	show("in a thread", read_each());
	return nullptr;
}

int main()
{
	show("first", read_each());
	pthread_t thread;
	pthread_create(&thread, nullptr, in_thread, nullptr);
	pthread_join(thread, nullptr);
	show("again", read_each());
	return 0;
}

#ifdef TWIN
template <class T> struct Each {
	static thread_local int32_t value;
};
template <class T> thread_local int32_t Each<T>::value = make_each();
int32_t read_each() { return Each<int>::value; }
#endif
