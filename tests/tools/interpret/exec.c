#include "interpret.h"

#include <stdio.h>

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
	Guard border = {in->guards, NULL};
	in->guards = &border;
	Way way = exec_region(in, r);
	in->guards = border.outer;
	in->exception = e;
	return way == WAY_THROW ? WAY_TERMINATE : way;
}

/* The cleanup that an exit of its scope passes. What the exit carries outlives it. */
static Way exec_cleanup(Interp *in, Way exit, unsigned kind, const IrRegion *cleanup)
{
	if (exit == WAY_TERMINATE || exit == WAY_FAILED)
		return exit;
	if (is_end_catch(cleanup))
		kind = CLEANUP_ALL;
	if (kind != CLEANUP_ALL && (kind == CLEANUP_EH) != (exit == WAY_THROW))
		return exit;
	Value result = in->result;
	const Name *label = in->label;
	Way way = exit == WAY_THROW ? exec_unwinding(in, cleanup) : exec_region(in, cleanup);
	if (way != WAY_END)
		return way;
	in->result = result;
	in->label = label;
	return exit;
}

static Way exec_cleanup_scope(Interp *in, const IrOp *op)
{
	Way way = exec_region(in, &op->regions[0]);
	return exec_cleanup(in, way, ir_op_enum(op, NAME_kind, CLEANUP_ALL), &op->regions[1]);
}

/* try */

static Way exec_try(Interp *in, const IrOp *op)
{
	Guard guard = {in->guards, op};
	in->guards = &guard;
	Way way = exec_region(in, &op->regions[0]);
	in->guards = guard.outer;
	if (way != WAY_THROW)
		return way;
	uint32_t i = exception_handler(op, in->exception);
	if (!i)
		return way;
	exec_bind(in, &op->regions[i], (Value){.token = in->exception});
	return exec_region(in, &op->regions[i]);
}

static Way exec_begin_catch(Interp *in, const IrOp *op)
{
	Exception *e = value(in, op, 0).token;
	in->values[op->results[0].id].token = e;
	in->values[op->results[1].id].p = exception_begin_catch(in, e);
	return WAY_END;
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
		eval_store(t, slot.p, eval_load(t, from.p));
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
	Guard border = {in->guards, NULL};
	in->guards = &border;
	Way way = exec_call(in, copy, args, 2, &none);
	in->guards = border.outer;
	in->exception = e;
	return way == WAY_THROW ? WAY_TERMINATE : way;
}

static Way exec_throw(Interp *in, const IrOp *op)
{
	if (!op->noperands)
		return exception_rethrow(in);
	Exception *e = exception_new(in, ir_op_symbol(op, NAME_type_info)->text + 4, 0);
	e->object = value(in, op, 0).p;
	e->dtor = ir_op_symbol(op, NAME_dtor);
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

Way exec_function(Interp *in, const IrOp *func)
{
	Way way = exec_region(in, &func->regions[0]);
	return way == WAY_RETURN ? WAY_END : way;
}

Way exec_call(Interp *in, Name *callee, const Value *args, uint32_t n, Value *result)
{
	const IrOp *func = ir_symbol(callee);
	Way way;
	if (func && !ir_func_is_declaration(func)) {
		for (uint32_t i = 0; i < n; i++)
			in->values[func->regions[0].first->args[i]->id] = args[i];
		way = exec_function(in, func);
		*result = in->result;
		return way;
	}
	if (!world_call(in, callee->text, args, result, &way)) {
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

static Way exec_op(Interp *in, const IrOp *op)
{
	switch (op->kind) {
	case OP_CALL:
		return exec_call_op(in, op);
	case OP_THROW:
		return exec_throw(in, op);
	case OP_ALLOC_EXCEPTION:
		in->values[op->results[0].id].p = arena_alloc(&in->mem, ir_op_uint(op, NAME_size, 0), 16);
		return WAY_END;
	case OP_FREE_EXCEPTION: /* the arena keeps it */
	case OP_LABEL:
		return WAY_END;
	case OP_BEGIN_CATCH:
		return exec_begin_catch(in, op);
	case OP_END_CATCH:
		return exception_end_catch(in);
	case OP_INIT_CATCH_PARAM:
		return exec_init_catch_param(in, op);
	case OP_CONSTRUCT_CATCH_PARAM:
		return exec_construct_catch_param(in, op);
	default:
		return eval_op(in, op) ? WAY_END : exec_structured(in, op);
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
