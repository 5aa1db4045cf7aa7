#include "language.h"

extern "C" void both();

extern "C" void seen(int32_t v)
{
	show("v", v);
}

#ifdef TWIN
struct Small {
	int32_t a, b;
};

struct Own {
	void *self;
	int32_t n;
	Own(int32_t v) : self(this), n(v) {}
	Own(const Own &o) : self(this), n(o.n) {}
};

struct First {
	virtual Small small() = 0;
	virtual Own own() = 0;
};

struct Second {
	virtual Small small() = 0;
	virtual Own own() = 0;
};

struct Both : First, Second {
	int32_t n;
	Small small() override { return {n, n + 1}; }
	Own own() override { return n; }
};

static void ask(Second *o)
{
	Small s = o->small();
	seen(s.b);
	Own w = o->own();
	seen(w.n);
	seen(w.self == &w);
}

void both()
{
	Both b;
	b.n = 41;
	ask(&b);
}
#endif

int main()
{
	both();
	return 0;
}
