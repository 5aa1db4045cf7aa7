#include "language.h"

struct Base {
	int32_t n;
	explicit Base(int32_t n);
};

struct Derived : Base {
	int32_t more;
	explicit Derived(int32_t n);
};

extern "C" void derive(Derived *d, int32_t n);

extern "C" void seen(int32_t v)
{
	show("v", v);
}

/* 0: returns */
extern "C" void fail(int32_t n)
{
	if (n < 0)
		throw 'c';
	if (n)
		throw n;
}

#ifdef TWIN
#include <new>

Base::Base(int32_t n) : n(n)
{
	fail(n);
}

Derived::Derived(int32_t n)
try : Base(n) {
	seen(1);
} catch (int32_t v) {
	seen(v);
} catch (...) {
	seen(2);
}

void derive(Derived *d, int32_t n)
{
	new (d) Derived(n);
}
#endif

static void try_it(int32_t n)
{
	alignas(Derived) char memory[sizeof(Derived)];
	try {
		derive((Derived *)memory, n);
		show("made", n);
	} catch (int32_t v) {
		show("int", v);
	} catch (char c) {
		show("char", c);
	}
}

int main()
{
	try_it(0);
	try_it(5);
	try_it(-1);
	return 0;
}
