/* The life of an exception's memory; which ones are in flight. */
#include "runtime/eh/exception.h"

/* The object is aligned as malloc() aligns. */
enum { HEADER = (sizeof(CircException) + 15) / 16 * 16 };

void *circ_allocate_exception(size_t size)
{
	if (size > SIZE_MAX - HEADER)
		circeh_fatal("an exception larger than memory");
	CircException *e = circeh_allocate(HEADER + size);
	e->state = CIRCEH_ALLOCATED;
	e->object = (char *)e + HEADER;
	return e->object;
}

CircException *circeh_of_object(void *object, CircehState state)
{
	if (!object)
		circeh_fatal("an object of circ_allocate_exception() is expected, and there is none");
	CircException *e = (CircException *)((char *)object - HEADER);
	if (e->state == CIRCEH_OVER)
		circeh_fatal("an exception is used after it was released");
	if (e->object != object || (e->state != CIRCEH_ALLOCATED && e->state != CIRCEH_THROWN))
		circeh_fatal("the header of an exception was written over, or its object is not of "
		             "circ_allocate_exception()");
	if (e->state != (uint32_t)state)
		circeh_fatal("an object is thrown twice, or freed after it was thrown");
	return e;
}

CircException *circeh_own(void *native)
{
	if (!native)
		circeh_fatal("an exception is expected, and there is none");
	if (!circeh_native_is_own(native))
		return NULL;
	CircException *e = (CircException *)((char *)native - offsetof(CircException, native));
	return circeh_of_object((char *)e + HEADER, CIRCEH_THROWN);
}

CircException *circeh_held(const CircehCatch *c)
{
	CircException *e = circeh_own(c->native);
	if (!e)
		circeh_fatal("the header of an exception was written over");
	return e;
}

void circ_free_exception(void *object)
{
	if (!object)
		return;
	CircException *e = circeh_of_object(object, CIRCEH_ALLOCATED);
	e->state = CIRCEH_OVER;
	circeh_free(e);
}

void circeh_fly(CircException *e)
{
	CircehThread *t = circeh_thread();
	e->older = t->flying;
	t->flying = e;
}

void circeh_land(CircException *e)
{
	for (CircException **link = &circeh_thread()->flying; *link; link = &(*link)->older)
		if (*link == e) {
			*link = e->older;
			return;
		}
}

CircException *circeh_above(const CircException *e)
{
	CircException *newest = circeh_thread()->flying;
	return e && newest != e ? newest : NULL;
}

void circeh_over(CircException *e)
{
	circeh_land(e);
	e->state = CIRCEH_OVER;
	circeh_release(e);
	circeh_free(e->notes);
	circeh_free(e);
}

void circeh_let_go(CircException *e)
{
	if (e->held.handlers > 0)
		circeh_fatal("an exception is released that a handler holds");
	if (e->held.handlers == 0) {
		circeh_over(e);
		return;
	}
	circeh_land(e);
	e->held.handlers = -e->held.handlers; /* thrown on no longer: its handler releases it when it ends */
}
