/* Handlers, and what they hold. */
#include "runtime/eh/exception.h"

static void *begin_own(CircException *e)
{
	CircehCatch *c = &e->held;
	c->own = true;
	c->handlers = (c->handlers < 0 ? -c->handlers : c->handlers) + 1;
	if (circeh_innermost() != c)
		circeh_hold(c, &e->native);
	circeh_land(e);
	if (e->decision.frame)
		circeh_replace_below(e, e->decision.frame);
	return e->decision.foreign ? NULL : e->decision.object;
}

static void begin_foreign(void *native)
{
	CircehForeign *f = circeh_allocate_foreign();
	f->record = circeh_foreign_record(native);
	f->held = (CircehCatch){.handlers = 1, .shown = &f->record};
	circeh_hold(&f->held, native);
	circeh_foreign_begin(&f->held);
}

void *circ_begin_catch(void *native)
{
	CircException *e = circeh_own(native);
	if (e)
		return begin_own(e);
	begin_foreign(native);
	return NULL;
}

static void end_own(CircehThread *t, CircException *e)
{
	CircehCatch *c = &e->held;
	bool thrown_on = c->handlers < 0;
	c->handlers += thrown_on ? 1 : -1;
	if (c->handlers)
		return;
	t->caught = c->older;
	if (!thrown_on)
		circeh_over(e);
}

/* Of a copy, since what ends may throw. */
static void end_foreign(CircehThread *t, CircehCatch *c)
{
	CircehCatch ended = *c;
	t->caught = c->older;
	circeh_free_foreign((CircehForeign *)((char *)c - offsetof(CircehForeign, held)));
	circeh_foreign_end(&ended);
}

void circ_end_catch(void)
{
	CircehThread *t = circeh_thread();
	CircehCatch *c = circeh_innermost();
	if (!c)
		circeh_fatal("a handler ends that never began, or for the second time");
	if (c->own)
		end_own(t, circeh_held(c));
	else
		end_foreign(t, c);
}

/* As a foreign one: in a handler that holds it, or else the thread's last. */
static CircRecord *shown_foreign(void *native)
{
	CircehThread *t = circeh_thread();
	for (CircehCatch *c = t->caught; c; c = c->older)
		if (c->native == native && !c->own)
			return c->shown;
	t->shown = circeh_foreign_record(native);
	return &t->shown;
}

CircRecord *circ_record(void *native)
{
	CircException *e = circeh_own(native);
	return e && !e->decision.foreign ? &e->record : shown_foreign(native);
}

/* Everything that a filter throws lies deeper in the stack than the throw which the filter is asked about; on windows-msvc that holds for
 * cleanups, too. */
void circeh_replace_below(CircException *by, uintptr_t frame)
{
	CircException *next;
	for (CircException *e = circeh_thread()->flying; e; e = next) {
		next = e->older;
		if (e == by || !e->stack || e->stack >= frame)
			continue;
		circeh_on_replaced(&e->record, by ? &by->record : NULL);
		circeh_let_go(e);
	}
	circeh_foreign_replace_below(by, frame);
}

void circ_drop(void *native)
{
	CircException *e = circeh_own(native);
	CircException *by = circeh_above(e);
	circeh_on_replaced(e ? &e->record : shown_foreign(native), by ? &by->record : NULL);
	if (e)
		circeh_let_go(e);
	else
		circeh_foreign_drop(native);
}
