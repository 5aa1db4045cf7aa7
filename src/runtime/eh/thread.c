#include "runtime/eh/exception.h"

static _Thread_local CircehThread own;

CircehThread *circeh_thread(void)
{
	return &own;
}

static uintptr_t seal_of(const CircehCatch *c)
{
	return (uintptr_t)c ^ (uintptr_t)c->native ^ CIRCEH_THROWN;
}

CircehCatch *circeh_innermost(void)
{
	CircehCatch *c = own.caught;
	if (c && c->seal != seal_of(c))
		circeh_fatal("the header of an exception was written over");
	return c;
}

void circeh_hold(CircehCatch *c, void *native)
{
	c->native = native;
	c->seal = seal_of(c);
	c->older = own.caught;
	own.caught = c;
}
