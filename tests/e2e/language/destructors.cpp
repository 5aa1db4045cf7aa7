#include "language.h"

extern "C" void both();
extern "C" void most();

extern "C" void seen(int32_t id)
{
	show("id", id);
}

#ifdef TWIN
struct Left {
	virtual int32_t id() { return 1; }
	~Left() { seen(id()); }
};

struct Right {
	int32_t n;
	virtual int32_t id() { return 2; }
	~Right() { seen(id()); }
};

static void ask_right(Right *r)
{
	seen(r->id());
}

struct Both : Left, Right {
	int32_t id() override { return 3; }
	~Both()
	{
		seen(id());
		ask_right(this);
	}
};

struct Top {
	int32_t n;
	virtual int32_t id() { return 4; }
	~Top() { seen(id()); }
};

static void ask_top(Top *t)
{
	seen(t->id());
}

struct Mid : virtual Top {
	int32_t id() override { return 5; }
	~Mid()
	{
		seen(id());
		ask_top(this);
	}
};

struct Most : Mid {
	int32_t id() override { return 6; }
	~Most() { seen(id()); }
};

void both()
{
	Both b;
	ask_right(&b);
}

void most()
{
	Most m;
}
#endif

int main()
{
	both();
	most();
	return 0;
}
