#include "e2e.h"

static int things;

/* windows-msvc moves it: the copy is made before the other one goes. */
struct Thing {
	int tag;
	explicit Thing(int tag) noexcept : tag(tag)
	{
		things++;
	}
	Thing(const Thing &other) noexcept : tag(other.tag)
	{
		things++;
	}
	~Thing()
	{
		if (--things <= 0)
			event(things ? "gone twice %d" : "gone %d", tag);
	}
};

extern "C" void throw_thing()
{
	throw Thing(6);
}
