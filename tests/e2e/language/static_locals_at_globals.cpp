#include "language.h"

struct Noted {
	int32_t id;
	explicit Noted(int32_t id);
	constexpr Noted(int32_t id, bool) : id(id) {}
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
int32_t once();
int32_t share_a();
int32_t share_b(bool late);
int32_t last();
int32_t make();
}

static int32_t made, throws = 2;

int32_t make()
{
	show("make", ++made);
	if (throws-- > 0)
		throw made;
	return made;
}

static int32_t try_it(int32_t (*function)())
{
	try {
		return function();
	} catch (int32_t thrown) {
		return -thrown;
	}
}

int main()
{
	for (int i = 0; i < 4; i++)
		show("once", try_it(once));
	throws = 1;
	show("share_b", share_b(false));
	show("share_a", try_it(share_a));
	show("share_b", share_b(true));
	show("share_a", share_a());
	show("last", last());
	return 0;
}

#ifdef TWIN
int32_t once()
{
	static Noted s(make());
	return s.id;
}
static int32_t shared()
{
	static int32_t n = make();
	return n;
}
int32_t share_a() { return shared(); }
int32_t share_b(bool late) { return late ? shared() : 0; }
int32_t last()
{
	static Noted s(5, true);
	return s.id;
}
#endif
