#include "twin.h"

struct First {
	long long first;
};
struct Second {
	int tag;
};
struct Two : First, Second {
	Two(int tag) : First{1}, Second{tag} {}
};
struct Hidden : First, private Second {
	Hidden() : First{1}, Second{2} {}
};
struct One : Second {};
struct Other1 : Second {};
struct Twice : One, Other1 {};
struct Left : virtual Second {
	long long left = 0;
};
struct Right : virtual Second {
	long long right = 0;
};
struct Diamond : Left, Right {
	long long own = 0;
	Diamond(int n) { tag = n; }
};

static void throw_one(Two &two, Diamond &diamond)
{
	switch (number) {
	case 0:
		throw Two(two);
	case 1:
		throw Diamond(diamond);
	case 2:
		throw Hidden();
	case 3:
		throw Twice();
	case 4:
		throw &two;
	case 5:
		throw (const Diamond *)&diamond;
	default:
		throw (Two *)nullptr;
	}
}

extern "C" void throw_in_cxx()
{
	static Two two(21);
	static Diamond diamond(22);
	throw_one(two, diamond);
}

extern "C" void throw_in_circ();

extern "C" void catch_in_cxx()
{
	try {
		throw_in_circ();
	} catch (Second &s) {
		event("Second %d", s.tag);
	} catch (Second *s) {
		event("Second * %d", s ? s->tag : -1);
	} catch (const Second *s) {
		event("const Second * %d", s->tag);
	} catch (...) {
		event("something else");
	}
}

extern "C" void saw_second(const Second *s) noexcept
{
	saw_int(s ? s->tag : -1);
}

#ifdef TWIN
extern "C" void throw_in_circ()
{
	static Two two(11);
	static Diamond diamond(12);
	throw_one(two, diamond);
}

static void catch_in_circ()
{
	try {
		throw_in_cxx();
	} catch (Second &s) {
		caught(1);
		saw_second(&s);
	} catch (Second *s) {
		caught(2);
		saw_second(s);
	} catch (const Second *s) {
		caught(3);
		saw_second(s);
	} catch (...) {
		caught(4);
	}
}

void test()
{
	catch_in_circ();
	catch_in_cxx();
}
#endif
