/* What a table says of another language's exceptions, written as C++ does it: a catch begins, its object is handed to a function of
 * the language, and it ends. From there on the exception is a value like others. */
#include "lift/lifter.h"

#include "ir/libcall.h"

static IrValue *begin_catch(Lift *l, IrBuilder *b, IrValue *exception)
{
	Name *name = ir_name(l->m, STR("__cxa_begin_catch"));
	return &ir_build_call(b, name, l->m->voidp, &exception, 1)->results[0];
}

static void end_catch(Lift *l, IrBuilder *b)
{
	ir_build_call(b, ir_name(l->m, STR("__cxa_end_catch")), NULL, NULL, 0);
}

/* NULL: reported. */
static IrValue *call(Lift *l, IrBuilder *b, Str name, const char *type, IrValue *arg)
{
	LibFn fn = {.name = arena_copy(&l->m->arena, name.data, name.len),
	            .type = type,
	            .nothrow = true,
	            .what = "function of the table for exceptions"};
	IrOp *made = libfn_call(b, &fn, &arg, 1, l->d);
	l->failed |= !made;
	return made ? &made->results[0] : NULL;
}

/* Functions */

static void catch_in_call(Lift *l, IrOp *op)
{
	if (!ir_call_nargs(op) || op->nsuccs) {
		lift_error(l, op,
		           op->nsuccs ? "catches an exception, but may throw" : "catches no exception");
		return;
	}
	IrBuilder b = ir_before(l->m, op);
	IrValue *object = begin_catch(l, &b, ir_call_arg(op, 0));
	ir_set_operand(op, 0, object);
	b = ir_before(l->m, op->next);
	end_catch(l, &b);
}

/* A call that ends the block, as the instruction does. */
static void resume_in_call(Lift *l, IrOp *op)
{
	if (!ir_call_nargs(op)) {
		lift_error(l, op, "resumes no exception");
		return;
	}
	IrBlock *block = op->block;
	IrValue *exception = ir_call_arg(op, 0);
	ir_block_split(l->m, block, op, op->loc); /* nothing leads to the rest */
	IrBuilder b = ir_at_end(l->m, block, op->loc);
	IrValue *parts[] = {exception, ir_build_const_int(&b, l->m->u32, 0)};
	ir_build(&b, OP_RESUME_FLAT, NULL, parts, 2);
}

static void apply_to_calls(Lift *l)
{
	VEC(IrOp *) calls = {0};
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		IR_FOR_OPS (op, b) {
			LiftRole role = lift_role(l->table, op);
			if (role == LIFT_CATCH || role == LIFT_RESUME)
				vec_push(l->mem, &calls, op);
		}
	for (uint32_t i = 0; i < calls.len && !l->failed; i++) {
		IrOp *op = calls.data[i];
		if (lift_role(l->table, op) == LIFT_CATCH)
			catch_in_call(l, op);
		else
			resume_in_call(l, op);
	}
}

/* Pads */

static bool catches_all(const IrOp *pad)
{
	const IrAttr *clauses = pad->kind == OP_LANDING_PAD ? ir_op_attr(pad, NAME_clauses) : NULL;
	for (uint32_t i = 0; clauses && i < clauses->n; i++)
		if (clauses->elems[i]->kind == ATTR_UNIT)
			return true;
	return pad->kind == OP_EH_INFLIGHT && ir_op_has(pad, NAME_catch_all);
}

static IrOp *build_member(Lift *l, IrBuilder *b, OpKind kind, IrType *type, IrValue *const *operands,
                          uint32_t n, uint32_t index)
{
	IrNamedAttr attr = {ir_known_name(l->m, NAME_index), ir_attr_i64(l->m, index)};
	return ir_build_spec(b, &(IrOpSpec){.kind = kind,
	                                    .operands = operands,
	                                    .noperands = n,
	                                    .result_types = &type,
	                                    .nresults = 1,
	                                    .attrs = &attr,
	                                    .nattrs = 1});
}

/* The two values that the language sees. False: reported. */
static bool catch_in_pad(Lift *l, IrBuilder *b, IrValue *exception, IrValue *parts[2])
{
	IrValue *object = begin_catch(l, b, exception);
	parts[0] = call(l, b, l->table->pads, "pp", object);
	end_catch(l, b);
	if (!parts[0])
		return false;
	if (!l->table->selector.len) {
		parts[1] = ir_build_const_int(b, l->m->u32, 0);
		return true;
	}
	IrValue *number = call(l, b, l->table->selector, "ip", parts[0]);
	if (number)
		parts[1] = ir_build_cast(b, CAST_INTEGRAL, number, l->m->u32);
	return number != NULL;
}

static void replace_pair(Lift *l, IrOp *pad)
{
	IrValue *pair = &pad->results[0], *parts[2];
	IrType *t = pair->type;
	if (t->nmembers != 2 || !ir_is_ptr(t->members[0]) || !ir_is_int(t->members[1])) {
		lift_error(l, pad, "is no pair of a pointer and a number");
		return;
	}
	IrBuilder b = ir_before(l->m, pad->next);
	IrOp *exception = build_member(l, &b, OP_EXTRACT_MEMBER, t->members[0], &pair, 1, 0);
	if (!catch_in_pad(l, &b, &exception->results[0], parts))
		return;
	IrValue *whole = ir_build_const(&b, ir_attr_intern(l->m, &(IrAttr){.kind = ATTR_POISON, .type = t}));
	for (uint32_t i = 0; i < 2; i++) {
		IrValue *part = i ? ir_build_cast(&b, CAST_INTEGRAL, parts[1], t->members[1])
		                  : ir_build_bitcast(&b, parts[0], t->members[0]);
		whole =
		    &build_member(l, &b, OP_INSERT_MEMBER, t, (IrValue *[]){whole, part}, 2, i)->results[0];
	}
	ir_value_replace(pair, whole);
	ir_set_operand(exception, 0, pair);
}

static void replace_parts(Lift *l, IrOp *pad)
{
	IrValue *parts[2];
	IrBuilder b = ir_before(l->m, pad->next);
	if (!catch_in_pad(l, &b, &pad->results[0], parts))
		return;
	IrOp *begin = pad->next;
	ir_value_replace(&pad->results[0], parts[0]);
	ir_value_replace(&pad->results[1], parts[1]);
	ir_set_operand(begin, 0, &pad->results[0]);
}

static void apply_to_pads(Lift *l)
{
	IR_FOR_BLOCKS (b, &l->func->regions[0]) {
		IrOp *pad = b->first;
		if (!lift_is_pad(pad) ||
		    !(catches_all(pad) || (l->table->cleanups && ir_op_has(pad, NAME_cleanup))))
			continue;
		if (pad->kind == OP_LANDING_PAD)
			replace_pair(l, pad);
		else
			replace_parts(l, pad);
		if (l->failed)
			return;
	}
}

void lift_apply_table(Lift *l)
{
	apply_to_calls(l);
	if (l->own && l->table->pads.len && !l->failed)
		apply_to_pads(l);
}
