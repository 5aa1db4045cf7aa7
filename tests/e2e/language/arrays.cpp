#include "language.h"

static int32_t made, fails_at, drop_fails_at;

struct Item {
	int32_t id;
};

extern "C" {
void fixed();
void counted(Item *p, uint64_t n);
void remember();

void make(Item *p)
{
	p->id = made;
	if (made == fails_at) {
		show("cannot make", made);
		throw made;
	}
	show("make", made++);
}

void drop(Item *p)
{
	show("drop", p->id);
	if (p->id == drop_fails_at)
		throw 100 + p->id;
}

void at_exit(Item *p)
{
	show("at exit", p->id);
	fflush(stdout);
}

void inside(int32_t n) { show("inside", n); }
}

template <class F> static void attempt(const char *what, int32_t make_fails, int32_t drop_fails, F f)
{
	made = 0;
	fails_at = make_fails;
	drop_fails_at = drop_fails;
	try {
		f();
		show(what, 0);
	} catch (int n) {
		show(what, n);
	}
}

int main()
{
	remember();
	for (int32_t at : {-1, 0, 1, 3}) {
		attempt("fixed", at, -1, [] { fixed(); });
		for (uint64_t n : {0, 1, 3})
			attempt("counted", at, -1, [n] {
				Item items[3];
				counted(items, n);
			});
	}
	for (int32_t at : {0, 2, 3}) {
		attempt("fixed", -1, at, [] { fixed(); });
		attempt("counted", -1, at, [] {
			Item items[3];
			counted(items, 3);
		});
	}
	return 0;
}

#ifdef TWIN
struct Object : Item {
	Object() { make(this); }
	~Object() noexcept(false) { drop(this); }
};

void fixed()
{
	Object a[4];
	inside(4);
}

static void counted_from(Item *p, uint64_t n)
{
	if (n == 0)
		return;
	struct Holder {
		Item *p;
		~Holder() noexcept(false) { drop(p); }
	};
	make(p);
	Holder holder = {p};
	counted_from(p + 1, n - 1);
}

void counted(Item *p, uint64_t n) { counted_from(p, n); }

static struct Last : Item {
	bool armed = false;
	~Last()
	{
		if (armed)
			at_exit(this);
	}
} last;

void remember()
{
	last.id = 99;
	last.armed = true;
}
#endif
