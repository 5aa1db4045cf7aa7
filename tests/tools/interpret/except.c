#include "interpret.h"

Exception *exception_new(Interp *in, const char *type, size_t size)
{
	Exception *e = arena_new(&in->mem, Exception);
	*e = (Exception){.type = type, .object = arena_alloc(&in->mem, size, 16)};
	e->record.flags = RECORD_NONCONTINUABLE;
	return e;
}

static Name *released_by(const Interp *in, const Exception *e)
{
	const IrOp *type = ir_symbol(ir_name(in->m, str_of(e->type)));
	return e->dtor                                   ? e->dtor
	       : type && type->kind == OP_EXCEPTION_TYPE ? ir_op_symbol(type, NAME_release)
	                                                 : NULL;
}

/* Nobody needs it any more. */
static Way over(Interp *in, const Exception *e)
{
	Exception *flying = in->exception;
	Name *release = released_by(in, e);
	Value object = {.p = e->object}, none;
	in->released_as = e->replaced ? '!' : '-';
	Way way = release ? exec_call(in, release, &object, 1, &none) : WAY_END;
	if (way == WAY_END)
		in->exception = flying;
	return way;
}

Way exception_throw(Interp *in, Exception *e)
{
	Exception *flying = in->exception;
	in->uncaught++;
	Found found = search(in, e);
	in->exception = e;
	if (found == FOUND)
		return WAY_THROW;
	if (found == FOUND_NOBODY)
		return in->stopped ? in->stopped : WAY_TERMINATE;
	in->uncaught--;
	in->exception = flying;
	return over(in, e);
}

static void hold(Interp *in, Exception *e, EhRuntime of)
{
	Held *h = arena_new(&in->mem, Held);
	*h = (Held){in->held[of], e};
	in->held[of] = h;
}

static bool holds(const Interp *in, const Exception *e, EhRuntime of)
{
	return in->held[of] && in->held[of]->exception == e;
}

static void let_hold_go(Interp *in, const Exception *e, EhRuntime of)
{
	if (holds(in, e, of))
		in->held[of] = in->held[of]->older;
}

/* In the runtime that the exception is of. */
static void begin(Interp *in, Exception *e, EhRuntime of)
{
	e->handlers[of]++;
	e->rethrown[of] = false;
	if (!holds(in, e, of))
		hold(in, e, of);
}

static Way end(Interp *in, Exception *e, EhRuntime of)
{
	if (!holds(in, e, of) || --e->handlers[of] > 0)
		return WAY_END;
	let_hold_go(in, e, of);
	return e->rethrown[of] ? WAY_END : over(in, e);
}

static EhRuntime home(const Exception *e)
{
	return e->language == LANGUAGE_CXX ? EH_RUNTIME_CXX : EH_RUNTIME_CIRC;
}

/* C++ is done with an exception of circ's runtime, or another one took its place. */
static void let_go(Interp *in, Exception *e)
{
	if (e->handlers[EH_RUNTIME_CIRC] > 0)
		e->rethrown[EH_RUNTIME_CIRC] = false; /* its handler releases it */
	else
		over(in, e);
}

Way exception_rethrow(Interp *in, EhRuntime of)
{
	if (!in->held[of])
		return WAY_TERMINATE;
	Exception *e = in->held[of]->exception;
	if (of == home(e))
		e->rethrown[of] = true;
	else if (of == EH_RUNTIME_CXX)
		let_hold_go(in, e, of);
	else
		e->rethrown[EH_RUNTIME_CXX] = true;
	if (of == EH_RUNTIME_CIRC)
		e->record.flags |= RECORD_NONCONTINUABLE | RECORD_RETHROWN;
	return exception_throw(in, e);
}

Way exception_begin_catch(Interp *in, Exception *e, EhRuntime of)
{
	in->uncaught--;
	if (of == home(e)) {
		begin(in, e, of);
	} else if (of == EH_RUNTIME_CIRC) { /* which tells the C++ runtime, too */
		begin(in, e, EH_RUNTIME_CXX);
		hold(in, e, of);
	} else {
		if (in->held[of] && !in->microsoft) /* [Itanium C++ ABI: Exception Handling, 2.5.3] */
			return WAY_TERMINATE;
		hold(in, e, of);
	}
	return WAY_END;
}

Way exception_end_catch(Interp *in, Exception *e, EhRuntime of)
{
	if (of == home(e))
		return end(in, e, of);
	if (of == EH_RUNTIME_CIRC) {
		let_hold_go(in, e, of);
		return end(in, e, EH_RUNTIME_CXX);
	}
	if (holds(in, e, of)) {
		let_hold_go(in, e, of);
		let_go(in, e);
	}
	return WAY_END;
}

Way exception_begin_finally(Interp *in, Exception *e, EhRuntime of, Held **aside)
{
	*aside = NULL;
	if (of != home(e) && of == EH_RUNTIME_CXX && !in->microsoft) {
		*aside = in->held[of];
		in->held[of] = NULL;
	}
	return exception_begin_catch(in, e, of);
}

Way exception_end_finally(Interp *in, Exception *e, EhRuntime of, Held *aside)
{
	Way way = exception_end_catch(in, e, of);
	if (aside)
		in->held[of] = aside;
	return way;
}

void exception_drop(Interp *in, Exception *e)
{
	in->uncaught--;
	e->replaced = true;
	if (home(e) == EH_RUNTIME_CIRC) {
		let_go(in, e);
	} else {
		begin(in, e, EH_RUNTIME_CXX);
		end(in, e, EH_RUNTIME_CXX);
	}
}
