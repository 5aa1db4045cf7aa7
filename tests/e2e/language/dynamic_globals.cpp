#include "language.h"

#include <pthread.h>

struct Noted {
	int32_t id;
	constexpr Noted() : id(0) {}
	explicit Noted(int32_t id);
	~Noted();
};

extern "C" int32_t make(int32_t n);
extern int32_t first;
extern Noted second, several[2], early, earliest;
extern thread_local int32_t plain;
extern thread_local Noted mine, theirs;
extern "C" {
int32_t read_first();
int32_t read_plain();
int32_t read_mine();
int32_t read_theirs();
}

template <class T> struct Once {
	static int32_t value;
};

Noted::Noted(int32_t id) : id(id)
{
	show("made", id);
	fflush(stdout);
}

Noted::~Noted()
{
	show("gone", id);
	fflush(stdout);
}

extern "C" int32_t make(int32_t n)
{
	show("make", n);
	return n + 1;
}

thread_local Noted theirs(70);

template <class T> int32_t Once<T>::value = make(30);

static void *in_thread(void *)
{
	show("plain", read_plain() + plain);
	show("mine", read_mine() + mine.id);
	return nullptr;
}

int main()
{
	show("first", read_first() + first);
	show("once", Once<int>::value);
	several[0].id = 41;
	several[1].id = 42;
	show("plain", read_plain() + plain);
	pthread_t thread;
	pthread_create(&thread, nullptr, in_thread, nullptr);
	pthread_join(thread, nullptr);
	show("mine", mine.id);
	show("theirs", read_theirs());
	return 0;
}

#ifdef TWIN
int32_t first = make(1);
Noted second(first);
Noted several[2];
Noted early __attribute__((init_priority(200))) = Noted(20);
Noted earliest __attribute__((init_priority(150))) = Noted(10);
thread_local int32_t plain = 5;
thread_local Noted mine(theirs.id + 1);
int32_t read_first() { return first; }
int32_t read_plain() { return ++plain; }
int32_t read_mine() { return mine.id; }
int32_t read_theirs() { return theirs.id; }
#endif
