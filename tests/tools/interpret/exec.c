#include "interpret.h"

#include "ir/try.h"

#include <stdio.h>
#include <string.h>

Way fail(const IrOp *op, const char *why)
{
	fprintf(stderr, "interpret: '%s' at offset %u: %s\n", op_info[op->kind].name, op->loc.pos, why);
	return WAY_FAILED;
}

static Value value(const Interp *in, const IrOp *op, uint32_t i)
{
	return exec_operand(in, op, i);
}

/* Cleanups */

static bool is_end_catch(const IrRegion *r)
{
	return r->first->first && r->first->first->kind == OP_END_CATCH;
}

Way exec_unwinding(Interp *in, const IrRegion *r)
{
	Exception *e = in->exception;
	Guard border;
	search_begin(in, &border, GUARD_TERMINATE, NULL);
	Way way = exec_region(in, r);
	search_end(in, &border);
	in->exception = e;
	return way == WAY_THROW ? WAY_TERMINATE : way;
}

/* In circ's runtime an exception that leaves it takes the place of the one in flight. */
static Way exec_replaceable(Interp *in, const IrRegion *r)
{
	Exception *old = in->exception;
	Way way = exec_region(in, r);
	if (way == WAY_THROW)
		exception_drop(in, old);
	else
		in->exception = old;
	return way;
}

/* Of a cleanup or a finally that an exit passes. What the exit carries outlives it. */
static Way exec_exit_region(Interp *in, Way exit, const IrRegion *r, Way (*exec)(Interp *, const IrRegion *))
{
	Value result = in->result;
	const Name *label = in->label;
	bool abnormal = in->abnormal;
	in->abnormal = exit != WAY_END;
	Way way = exec(in, r);
	in->abnormal = abnormal;
	if (way == WAY_END) {
		in->result = result;
		in->label = label;
	}
	return way;
}

static Way exec_cleanup(Interp *in, Way exit, unsigned kind, const IrRegion *cleanup)
{
	if (exit == WAY_TERMINATE || exit == WAY_FAILED)
		return exit;
	if (is_end_catch(cleanup))
		kind = CLEANUP_ALL;
	if (kind != CLEANUP_ALL && (kind == CLEANUP_EH) != (exit == WAY_THROW))
		return exit;
	bool replaces = exec_runtime(in) == EH_RUNTIME_CIRC;
	Way way = exec_exit_region(in, exit, cleanup,
	                           exit != WAY_THROW ? exec_region
	                           : replaces        ? exec_replaceable
	                                             : exec_unwinding);
	return way == WAY_END ? exit : way;
}

static Way exec_cleanup_scope(Interp *in, const IrOp *op)
{
	Way way = exec_region(in, &op->regions[0]);
	return exec_cleanup(in, way, ir_op_enum(op, NAME_kind, CLEANUP_ALL), &op->regions[1]);
}

/* try */

static Way end_handling(Interp *in, Handling *h)
{
	h->ended = true;
	return exception_end_catch(in, h->exception, exec_runtime(in));
}

/* A catch that was begun is ended on every way out, wherever the handler says it. */
static Way exec_handler(Interp *in, const IrRegion *r, Exception *e)
{
	Handling h = {.outer = in->handling, .exception = e};
	in->handling = &h;
	exec_bind(in, r, (Value){.token = e});
	Way way = exec_region(in, r);
	if (way != WAY_TERMINATE && way != WAY_FAILED && h.begun && !h.ended) {
		Way ended = end_handling(in, &h);
		way = ended == WAY_END ? way : ended;
	}
	in->handling = h.outer;
	return way;
}

static Way exec_caught(Interp *in, const IrOp *op)
{
	Guard guard;
	search_begin(in, &guard, GUARD_TRY, op);
	Way way = exec_region(in, &op->regions[0]);
	search_end(in, &guard);
	if (way != WAY_THROW)
		return way;
	Exception *e = in->exception;
	const IrRegion *handler = e->target == &guard ? e->handler : search_passed(in, op, e);
	return handler ? exec_handler(in, handler, e) : way;
}

/* For an exception: it is caught, and thrown on where the end of the region is reached. */
static Way exec_finally_caught(Interp *in, const IrRegion *finally)
{
	Exception *e = in->exception;
	EhRuntime of = exec_runtime(in);
	Held *aside;
	Way way = exception_begin_finally(in, e, of, &aside);
	if (way != WAY_END)
		return way;
	way = exec_exit_region(in, WAY_THROW, finally, exec_region);
	if (way == WAY_END)
		way = exception_rethrow(in, of);
	if (way == WAY_TERMINATE || way == WAY_FAILED)
		return way;
	Way ended = exception_end_finally(in, e, of, aside);
	return ended == WAY_END ? way : ended;
}

static Way exec_try(Interp *in, const IrOp *op)
{
	const IrRegion *finally = ir_try_finally(op);
	if (!finally)
		return exec_caught(in, op);
	Guard guard;
	search_begin(in, &guard, GUARD_FINALLY, NULL);
	Way exit = exec_caught(in, op);
	search_end(in, &guard);
	if (exit == WAY_TERMINATE || exit == WAY_FAILED)
		return exit;
	if (exit == WAY_THROW)
		return in->exception->target == &guard ? exec_finally_caught(in, finally)
		                                       : fail(op, "an exception passes a finally");
	Way way = exec_exit_region(in, exit, finally, exec_region);
	return way == WAY_END ? exit : way;
}

static Way begin_handling(Interp *in, const IrOp *op, Value *object)
{
	Handling *h = in->handling;
	if (!h)
		return fail(op, "outside of handlers");
	h->begun = true;
	object->p = h->exception->adjusted;
	return exception_begin_catch(in, h->exception, exec_runtime(in));
}

static Way exec_begin_catch(Interp *in, const IrOp *op)
{
	in->values[op->results[0].id].token = value(in, op, 0).token;
	return begin_handling(in, op, &in->values[op->results[1].id]);
}

static Way exec_end_catch(Interp *in, const IrOp *op)
{
	for (Handling *h = in->handling; h; h = h->outer)
		if (h->exception == value(in, op, 0).token && !h->ended)
			return end_handling(in, h);
	return fail(op, "outside of handlers");
}

static Way exec_init_catch_param(Interp *in, const IrOp *op)
{
	Value from = value(in, op, 0), slot = value(in, op, 1);
	const IrType *t = ir_operand(op, 1)->type->elem;
	switch (ir_op_enum(op, NAME_kind, CATCH_INIT_SCALAR)) {
	case CATCH_INIT_REFERENCE:
	case CATCH_INIT_POINTER:
		eval_store(t, slot.p, from);
		return WAY_END;
	case CATCH_INIT_SCALAR:
		eval_store(t, slot.p, eval_load(in, t, from.p));
		return WAY_END;
	case CATCH_INIT_NON_TRIVIAL_COPY:
		return WAY_END;
	default:
		return fail(op, "this kind of parameter is not known");
	}
}

static Way exec_construct_catch_param(Interp *in, const IrOp *op)
{
	Name *copy = ir_op_symbol(op, NAME_copy_fn);
	Value args[] = {value(in, op, 1), {.p = value(in, op, 0).token->adjusted}}, none;
	if (!copy)
		return fail(op, "without a copy function");
	Exception *e = in->exception;
	Guard border;
	search_begin(in, &border, GUARD_TERMINATE, NULL);
	Way way = exec_call(in, copy, args, 2, &none);
	search_end(in, &border);
	in->exception = e;
	return way == WAY_THROW ? WAY_TERMINATE : way;
}

static Way exec_throw(Interp *in, const IrOp *op)
{
	if (!op->noperands)
		return exception_rethrow(in, exec_runtime(in));
	const char *type = ir_op_symbol(op, NAME_type_info)->text;
	Exception *e = exception_new(in, strncmp(type, "_ZTI", 4) == 0 ? type + 4 : type, 0);
	e->object = value(in, op, 0).p;
	e->dtor = ir_op_symbol(op, NAME_dtor);
	if (exec_runtime(in) == EH_RUNTIME_CIRC) {
		bool goes_on = op->next && op->next->kind != OP_UNREACHABLE;
		uint32_t status = fault_status_of(e->type);
		e->language = LANGUAGE_OWN;
		e->record = (Record){.code = status ? status : CODE_LANGUAGE,
		                     .flags = goes_on ? 0 : RECORD_NONCONTINUABLE,
		                     .object = e->object};
	}
	return exception_throw(in, e);
}

/* Loops */

static bool is_left(Way way)
{
	return way != WAY_END && way != WAY_CONTINUE;
}

/* One round; *more: the condition held. WAY_CONTINUE is used up. */
static Way exec_round(Interp *in, const IrOp *op, bool *more)
{
	Way way = exec_region(in, &op->regions[0]);
	*more = way == WAY_END && in->result.i;
	if (way != WAY_END || !*more)
		return way;
	way = exec_region(in, &op->regions[1]);
	if (!is_left(way) && op->kind == OP_FOR)
		way = exec_region(in, &op->regions[2]);
	return way;
}

static Way exec_while(Interp *in, const IrOp *op)
{
	const IrRegion *cleanup = ir_op_has(op, NAME_cleanup_kind) ? &op->regions[op->nregions - 1] : NULL;
	for (;;) {
		bool more;
		Way way = exec_round(in, op, &more);
		if (cleanup)
			way = exec_cleanup(in, way, ir_op_enum(op, NAME_cleanup_kind, CLEANUP_ALL), cleanup);
		if (way == WAY_BREAK)
			return WAY_END;
		if (is_left(way) || !more)
			return way;
	}
}

static Way exec_do(Interp *in, const IrOp *op)
{
	for (;;) {
		Way way = exec_region(in, &op->regions[0]);
		if (!is_left(way)) {
			way = exec_region(in, &op->regions[1]);
			if (way == WAY_END && in->result.i)
				continue;
		}
		return way == WAY_BREAK ? WAY_END : way;
	}
}

/* switch */

static bool case_matches(const IrOp *op, const IrType *t, uint64_t x)
{
	const IrAttr *values = ir_op_attr(op, NAME_value);
	if (ir_op_enum(op, NAME_kind, CASE_EQUAL) == CASE_RANGE) {
		uint64_t low = values->elems[0]->bits, high = values->elems[1]->bits;
		return t->is_signed ? (int64_t)low <= (int64_t)x && (int64_t)x <= (int64_t)high
		                    : low <= x && x <= high;
	}
	for (uint32_t i = 0; i < values->n; i++)
		if (values->elems[i]->bits == x)
			return true;
	return false;
}

static Way exec_ops(Interp *in, const IrOp *op);

/* From the case on, falling through into those behind it. */
static Way exec_switch(Interp *in, const IrOp *op)
{
	const IrOp *start = NULL;
	IR_FOR_OPS (c, op->regions[0].first) {
		if (c->kind != OP_CASE)
			continue;
		if (case_matches(c, ir_operand(op, 0)->type, value(in, op, 0).i)) {
			start = c;
			break;
		}
		if (ir_op_enum(c, NAME_kind, CASE_EQUAL) == CASE_DEFAULT)
			start = c;
	}
	Way way = start ? exec_ops(in, start) : WAY_END;
	return way == WAY_BREAK ? WAY_END : way;
}

/* Calls */

static bool is_noexcept(const Interp *in, const IrOp *func)
{
	return ir_op_is_nothrow(func) && ir_module_has_cxx_exceptions(in->m);
}

Way exec_function(Interp *in, const IrOp *func)
{
	const IrOp *caller = in->func;
	Handling *handling = in->handling;
	in->func = func;
	in->handling = NULL;
	Way way = is_noexcept(in, func) ? exec_unwinding(in, &func->regions[0])
	                                : exec_region(in, &func->regions[0]);
	in->func = caller;
	in->handling = handling;
	return way == WAY_RETURN ? WAY_END : way;
}

/* The numbers of a function's values. */
typedef struct Span {
	uint32_t first, end;
} Span;

static void cover(Span *s, const IrValue *v)
{
	s->first = v->id < s->first ? v->id : s->first;
	s->end = v->id >= s->end ? v->id + 1 : s->end;
}

static void cover_region(Span *s, const IrRegion *r)
{
	IR_FOR_BLOCKS (b, r) {
		for (uint32_t i = 0; i < b->nargs; i++)
			cover(s, b->args[i]);
		IR_FOR_OPS (op, b) {
			for (uint32_t i = 0; i < op->nresults; i++)
				cover(s, &op->results[i]);
			for (uint32_t i = 0; i < op->nregions; i++)
				cover_region(s, &op->regions[i]);
		}
	}
}

static Span span_of(Interp *in, const IrOp *func)
{
	Span *s = ptrmap_get(&in->spans, func);
	if (!s) {
		s = arena_new(&in->module, Span);
		*s = (Span){UINT32_MAX, 0};
		cover_region(s, &func->regions[0]);
		ptrmap_put(&in->module, &in->spans, func, s);
	}
	return *s;
}

/* Another activation of it may wait: a filter runs in the middle of a throw. */
static Way exec_defined(Interp *in, const IrOp *func, const Value *args, uint32_t n)
{
	Span s = span_of(in, func);
	size_t count = s.end > s.first ? s.end - s.first : 0;
	Value *waiting = arena_array(&in->mem, Value, count + 1);
	memcpy(waiting, in->values + s.first, count * sizeof *waiting);
	for (uint32_t i = 0; i < n; i++)
		in->values[func->regions[0].first->args[i]->id] = args[i];
	Way way = exec_function(in, func);
	memcpy(in->values + s.first, waiting, count * sizeof *waiting);
	return way;
}

Way exec_call(Interp *in, Name *callee, const Value *args, uint32_t n, Value *result)
{
	const IrOp *func = ir_symbol(callee);
	Way way;
	if (func && !ir_func_is_declaration(func)) {
		way = exec_defined(in, func, args, n);
		*result = in->result;
		return way;
	}
	if (!world_call(in, callee->text, args, result, &way) &&
	    !own_call(in, callee->text, args, result, &way) &&
	    !fault_call(in, callee->text, args, result, &way)) {
		fprintf(stderr, "interpret: nobody knows '@%s'\n", callee->text);
		return WAY_FAILED;
	}
	return way;
}

static Way exec_call_op(Interp *in, const IrOp *op)
{
	Value args[4] = {0}, result = {0};
	uint32_t n = ir_call_nargs(op);
	if (!ir_call_callee(op) || n > 4)
		return fail(op, "indirect calls and more than 4 arguments are not known");
	for (uint32_t i = 0; i < n; i++)
		args[i] = in->values[ir_call_arg(op, i)->id];
	Way way = exec_call(in, ir_call_callee(op), args, n, &result);
	if (op->nresults)
		in->values[op->results[0].id] = result;
	return way;
}

/* Leaving */

static Way leave_with(Interp *in, const IrOp *op, Way way)
{
	in->result = op->noperands ? value(in, op, 0) : (Value){0};
	return way;
}

static Way leave_by_goto(Interp *in, const IrOp *op)
{
	in->label = ir_op_attr(op, NAME_label)->name;
	return WAY_GOTO;
}

static Way resume(Interp *in, const IrOp *op)
{
	if (!op->noperands)
		return WAY_END; /* of a cleanup region */
	in->exception = value(in, op, 0).token;
	return WAY_THROW;
}

static Way exec_structured(Interp *in, const IrOp *op)
{
	Way way;
	switch (op->kind) {
	case OP_SCOPE:
	case OP_CASE:
		way = exec_region(in, &op->regions[0]);
		break;
	case OP_IF:
	case OP_TERNARY: {
		uint32_t taken = value(in, op, 0).i ? 0 : 1;
		way = op->regions[taken].first ? exec_region(in, &op->regions[taken]) : WAY_END;
		break;
	}
	case OP_WHILE:
	case OP_FOR:
		return exec_while(in, op);
	case OP_DO:
		return exec_do(in, op);
	case OP_SWITCH:
		return exec_switch(in, op);
	case OP_CLEANUP_SCOPE:
		return exec_cleanup_scope(in, op);
	case OP_TRY:
		return exec_try(in, op);
	case OP_ARRAY_CTOR:
		return exec_array_ctor(in, op);
	case OP_ARRAY_DTOR:
		return exec_array_dtor(in, op);
	case OP_DELETE_ARRAY:
		return exec_delete_array(in, op);
	default:
		return fail(op, "not known");
	}
	if (way == WAY_END && op->nresults)
		in->values[op->results[0].id] = in->result;
	return way;
}

/* Where a filter has repaired what made it fault, it is started again. */
static Way exec_computing(Interp *in, const IrOp *op)
{
	Record r;
	while (fault_of(in, op, &r)) {
		Way way = fault_raise(in, op, &r);
		if (way != WAY_END)
			return way;
	}
	return eval_op(in, op) ? WAY_END : exec_structured(in, op);
}

static Way exec_op(Interp *in, const IrOp *op)
{
	switch (op->kind) {
	case OP_CALL:
		return exec_call_op(in, op);
	case OP_THROW:
		return exec_throw(in, op);
	case OP_CHECK:
		return fault_check(in, op);
	case OP_ALLOC_EXCEPTION:
		in->values[op->results[0].id].p = arena_alloc(&in->mem, ir_op_uint(op, NAME_size, 0), 16);
		return WAY_END;
	case OP_FREE_EXCEPTION: /* the arena keeps it */
	case OP_LABEL:
		return WAY_END;
	case OP_BEGIN_CATCH:
		return exec_begin_catch(in, op);
	case OP_END_CATCH:
		return exec_end_catch(in, op);
	case OP_CATCH_PARAM:
		return begin_handling(in, op, &in->values[op->results[0].id]);
	case OP_EXCEPTION:
		in->values[op->results[0].id].p = &value(in, op, 0).token->record;
		return WAY_END;
	case OP_ABNORMAL:
		in->values[op->results[0].id].i = in->abnormal;
		return WAY_END;
	case OP_INIT_CATCH_PARAM:
		return exec_init_catch_param(in, op);
	case OP_CONSTRUCT_CATCH_PARAM:
		return exec_construct_catch_param(in, op);
	default:
		return exec_computing(in, op);
	}
}

static Way exec_terminator(Interp *in, const IrOp *op)
{
	switch (op->kind) {
	case OP_YIELD:
	case OP_CONDITION:
		return leave_with(in, op, WAY_END);
	case OP_RETURN:
		return leave_with(in, op, WAY_RETURN);
	case OP_BREAK:
		return WAY_BREAK;
	case OP_CONTINUE:
		return WAY_CONTINUE;
	case OP_GOTO:
		return leave_by_goto(in, op);
	case OP_RESUME:
		return resume(in, op);
	case OP_EH_TERMINATE:
	case OP_EH_UNEXPECTED:
		return WAY_TERMINATE;
	default:
		return fail(op, "is reached");
	}
}

static const IrBlock *labelled(const IrRegion *r, const Name *label)
{
	IR_FOR_BLOCKS (b, r)
		if (b->first && b->first->kind == OP_LABEL && ir_op_attr(b->first, NAME_label)->name == label)
			return b;
	return NULL;
}

/* From `op` to the end of its region, or out of it. */
static Way exec_ops(Interp *in, const IrOp *op)
{
	const IrRegion *r = op->block->region;
	while (op) {
		if (op->kind == OP_BR) {
			op = op->succs[0].dest->first;
			continue;
		}
		bool last = op_info[op->kind].flags & OPF_TERM;
		Way way = last ? exec_terminator(in, op) : exec_op(in, op);
		const IrBlock *b = way == WAY_GOTO ? labelled(r, in->label) : NULL;
		if (b)
			op = b->first;
		else if (last || way != WAY_END)
			return way;
		else
			op = op->next;
	}
	return WAY_END;
}

Way exec_region(Interp *in, const IrRegion *r)
{
	return r->first->first ? exec_ops(in, r->first->first) : WAY_END;
}
