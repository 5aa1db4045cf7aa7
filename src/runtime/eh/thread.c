#include "runtime/eh/exception.h"

static _Thread_local CircehThread own;

CircehThread *circeh_thread(void)
{
	return &own;
}

/* Handlers of foreign exceptions seldom stand within each other: one is here. */
static _Thread_local struct {
	CircehForeign foreign;
	bool is_used;
} first;

CircehForeign *circeh_allocate_foreign(void)
{
	if (first.is_used)
		return circeh_allocate(sizeof(CircehForeign));
	first.is_used = true;
	first.foreign = (CircehForeign){0};
	return &first.foreign;
}

void circeh_free_foreign(CircehForeign *f)
{
	if (f == &first.foreign)
		first.is_used = false;
	else
		circeh_free(f);
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
