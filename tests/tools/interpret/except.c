#include "interpret.h"

#include <string.h>

Exception *exception_new(Interp *in, const char *type, size_t size)
{
	Exception *e = arena_new(&in->mem, Exception);
	e->type = type;
	e->object = arena_alloc(&in->mem, size, 16);
	return e;
}

/* Does a handler for `type` take it? A pointer to a derived class is one to its base, too. */
static bool matches(const char *type, Exception *e)
{
	bool pointer = e->type[0] == 'P' && type[0] == 'P';
	if (strcmp(type, e->type) != 0 && !world_is_base(e->type + pointer, type + pointer))
		return false;
	e->adjusted = e->type[0] == 'P' ? *(void **)e->object : e->object; /* bases stand at offset 0 */
	return true;
}

static const char *type_name(const IrAttr *view)
{
	const char *name = view->name->text;
	return strncmp(name, "_ZTI", 4) == 0 ? name + 4 : name;
}

static bool list_allows(const IrAttr *list, Exception *e)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (matches(type_name(list->elems[i]), e))
			return true;
	return false;
}

/* What the search finds; an unwind region and a filter that lets the exception through do not catch. */
static uint32_t find_handler(const IrOp *op, Exception *e, bool *catches)
{
	const IrAttr *uses = ir_op_attr(op, NAME_handler_types);
	*catches = true;
	e->adjusted = e->object;
	for (uint32_t i = 0; uses && i < uses->n; i++) {
		const IrAttr *use = uses->elems[i];
		if (use->kind == ATTR_GLOBAL_VIEW) {
			if (matches(type_name(use), e))
				return i + 1;
		} else if (use->kind == ATTR_ARRAY) { /* filter; the next region is for what it turns away */
			*catches = !list_allows(use, e);
			return *catches ? i + 2 : i + 1;
		} else if (use->bits == HANDLER_ALL) {
			return i + 1;
		} else if (use->bits == HANDLER_UNWIND) {
			*catches = false;
			return i + 1;
		}
	}
	*catches = false;
	return 0;
}

uint32_t exception_handler(const IrOp *try_op, Exception *e)
{
	bool catches;
	return find_handler(try_op, e, &catches);
}

/* Phase one: nothing runs before it is known that somebody takes the exception. */
static bool is_found(const Interp *in, Exception *e)
{
	for (const Guard *g = in->guards; g; g = g->outer) {
		bool catches = true;
		if (g->try_op)
			find_handler(g->try_op, e, &catches);
		if (catches)
			return true;
	}
	return in->caller_catches;
}

Way exception_throw(Interp *in, Exception *e)
{
	in->exception = e;
	in->uncaught++;
	return is_found(in, e) ? WAY_THROW : WAY_TERMINATE;
}

Way exception_rethrow(Interp *in)
{
	if (!in->caught)
		return WAY_TERMINATE;
	in->caught->rethrown = true;
	return exception_throw(in, in->caught);
}

void *exception_begin_catch(Interp *in, Exception *e)
{
	e->handlers++;
	in->uncaught--;
	e->rethrown = false;
	if (in->caught != e) {
		e->caught_before = in->caught;
		in->caught = e;
	}
	return e->adjusted;
}

Way exception_end_catch(Interp *in)
{
	Exception *e = in->caught;
	if (!e || --e->handlers > 0)
		return e ? WAY_END : WAY_TERMINATE;
	in->caught = e->caught_before;
	Value object = {.p = e->object}, none;
	return e->rethrown || !e->dtor ? WAY_END : exec_call(in, e->dtor, &object, 1, &none);
}
