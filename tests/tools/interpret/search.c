/* The first phase of a throw: the handlers around it are asked, inner ones first, of every function that waits. Filters run
 * here. */
#include "interpret.h"

#include "ir/try.h"

#include <string.h>

void search_begin(Interp *in, Guard *g, GuardKind kind, const IrOp *try_op)
{
	*g = (Guard){in->guards, kind, try_op, in->func};
	in->guards = g;
}

void search_end(Interp *in, const Guard *g)
{
	in->guards = g->outer;
}

static bool is_or_extends(const IrOp *type, const Name *wanted)
{
	if (ir_symbol_name(type) == wanted)
		return true;
	const IrAttr *bases = ir_op_attr(type, NAME_bases);
	for (uint32_t i = 0; bases && i < bases->n; i++)
		if (is_or_extends(ir_symbol(bases->elems[i]->name), wanted))
			return true;
	return false;
}

static const char *type_name(const IrAttr *view)
{
	const char *name = view->name->text;
	return strncmp(name, "_ZTI", 4) == 0 ? name + 4 : name;
}

/* A pointer to a derived class is one to its base, too. */
static bool is_type(const Interp *in, const char *type, const IrAttr *view, const Exception *e)
{
	const IrOp *wanted = ir_symbol(view->name);
	const IrOp *thrown = ir_symbol(ir_name(in->m, str_of(e->type)));
	bool pointer = e->type[0] == 'P' && type[0] == 'P';
	if (wanted && wanted->kind == OP_EXCEPTION_TYPE)
		return thrown && thrown->kind == OP_EXCEPTION_TYPE && is_or_extends(thrown, view->name);
	return strcmp(type, e->type) == 0 || world_is_base(e->type + pointer, type + pointer);
}

static bool matches(const Interp *in, const IrAttr *view, Exception *e, const IrOp *func)
{
	bool own = ir_func_eh_runtime(in->m, func) == EH_RUNTIME_CIRC;
	if (own && (fault_is_status_type(view->name->text) || fault_is_status(e->record.code)))
		return fault_is_of_type(e->record.code, view->name->text);
	if (e->language != (own ? LANGUAGE_OWN : LANGUAGE_CXX) || !is_type(in, type_name(view), view, e))
		return false;
	e->adjusted = e->type[0] == 'P' ? *(void **)e->object : e->object; /* bases stand at offset 0 */
	return true;
}

static bool is_error_of_cxx(const Interp *in, const Exception *e)
{
	const IrOp *thrown = ir_symbol(ir_name(in->m, str_of(e->type)));
	return e->language == LANGUAGE_CXX && thrown && thrown->kind == OP_EXCEPTION_TYPE &&
	       is_or_extends(thrown, ir_name(in->m, STR("Error")));
}

static bool list_allows(const Interp *in, const IrAttr *list, Exception *e, const IrOp *func)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (matches(in, list->elems[i], e, func))
			return true;
	return false;
}

/* What the filter answers, in the frame of its function. */
static int ask_filter(Interp *in, const IrRegion *filter, Exception *e, const IrOp *func)
{
	Interp before = *in;
	Guard border;
	in->guards = NULL;
	in->func = func;
	in->handling = NULL;
	search_begin(in, &border, GUARD_FILTER, NULL);
	exec_bind(in, filter, (Value){.p = &e->record});
	Way way = exec_region(in, filter);
	int answer = way == WAY_END ? (int)in->result.i : 0;
	if (way == WAY_TERMINATE || way == WAY_FAILED)
		in->stopped = way;
	if (way == WAY_THROW) {
		Exception *thrown = in->exception;
		exception_begin_catch(in, thrown, EH_RUNTIME_CIRC);
		exception_end_catch(in, thrown, EH_RUNTIME_CIRC);
	}
	in->guards = before.guards;
	in->func = before.func;
	in->handling = before.handling;
	in->exception = before.exception;
	in->abnormal = before.abnormal;
	in->result = before.result;
	in->label = before.label;
	return answer;
}

typedef struct Asked {
	const IrRegion *region; /* NULL: none */
	Found found;
} Asked;

/* asks: filters, too, as in the first phase. */
static Asked ask_handlers(Interp *in, const Guard *g, Exception *e, bool asks)
{
	TryHandler h;
	bool turned_away = false;
	e->adjusted = e->object;
	IR_FOR_HANDLERS(&h, g->try_op)
	{
		int answer = 0;
		switch (h.kind) {
		case TRY_TYPE:
			answer = matches(in, h.use, e, g->func);
			break;
		case TRY_WHEN:
			answer = asks ? ask_filter(in, h.filter, e, g->func) : 0;
			break;
		case TRY_ALL:
			answer = 1;
			break;
		case TRY_FILTER:
			if (list_allows(in, h.use, e, g->func))
				return (Asked){h.region, FOUND_NOBODY};
			turned_away = true;
			break;
		case TRY_UNEXPECTED:
			answer = turned_away;
			break;
		case TRY_UNWIND:
			return (Asked){h.region, FOUND_NOBODY};
		}
		if (answer || in->stopped)
			return (Asked){h.region, answer < 0 ? FOUND_CONTINUE : FOUND};
	}
	return (Asked){NULL, FOUND_NOBODY};
}

const IrRegion *search_passed(Interp *in, const IrOp *try_op, Exception *e)
{
	Guard g = {NULL, GUARD_TRY, try_op, in->func};
	void *adjusted = e->adjusted; /* for the handler that the exception is on its way to */
	const IrRegion *region = ask_handlers(in, &g, e, false).region;
	if (e->target)
		e->adjusted = adjusted;
	return region;
}

Found search(Interp *in, Exception *e)
{
	for (Guard *g = in->guards; g; g = g->outer) {
		Asked asked = {NULL, FOUND};
		if (g->kind == GUARD_TRY)
			asked = ask_handlers(in, g, e, true);
		else if (g->kind == GUARD_WORLD_ERROR && !is_error_of_cxx(in, e))
			asked.found = FOUND_NOBODY;
		if (in->stopped)
			return FOUND_NOBODY;
		if (asked.found == FOUND_NOBODY)
			continue;
		e->target = g;
		e->handler = asked.region;
		return asked.found;
	}
	e->target = NULL;
	e->handler = NULL;
	return in->caller_catches ? FOUND : FOUND_NOBODY;
}
