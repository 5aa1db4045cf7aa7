#include "language.h"

// Destroyed trivially, and never copied but by its own constructor.
struct Counted {
	int32_t n;
	Counted(int32_t n);
	Counted(const Counted &other);
};

Counted::Counted(int32_t n) : n(n) {}
Counted::Counted(const Counted &other) : n(other.n + 1) {}

extern "C" {
int32_t take(Counted c)
{
	return c.n;
}
Counted make(int32_t n)
{
	return Counted(n * 2);
}
int32_t call_take(int32_t n);
int32_t call_make(int32_t n);
Counted own(int32_t n);
}

int main()
{
	show("call_take", call_take(10));
	show("call_make", call_make(10));
	show("own", own(30).n);
	return 0;
}

#ifdef TWIN
extern "C" {
int32_t call_take(int32_t n)
{
	Counted c(n);
	return take(c);
}
int32_t call_make(int32_t n)
{
	return make(n).n;
}
Counted own(int32_t n)
{
	return Counted(n);
}
}
#endif
