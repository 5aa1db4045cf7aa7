#include "e2e.h"

struct Whole {
	int n;
};

void derived_ctor(Whole *whole) asm("_ZN7DerivedC2Ev");
void base_ctor(Whole *) asm("_ZN4BaseC2Ev");
void the_f() asm("_Z1fv");

void base_ctor(Whole *whole) // its destructor is that of support/e2e.h
{
	whole->n = 7;
	event("base made");
}

void the_f()
{
	event("f");
	point("f");
}

void test()
{
	Whole whole;
	derived_ctor(&whole);
}
