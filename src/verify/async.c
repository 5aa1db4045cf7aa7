/* `cir.try async` (ir/async.h), and what flattening makes of the ops in it. */
#include "ir/async.h"
#include "verify/verifier.h"

void verifier_check_async(Verifier *v, const IrOp *op)
{
	if (v->async_in != v->symbol || ir_async_kind(op) != ASYNC_REFUSED ||
	    !ir_is_async(v->arena, &v->nearest[NEAREST_ASYNC], op))
		return;
	verifier_error(v, op,
	               ": a fault of it cannot be an exception, but it is in the body of a 'cir.try async'; "
	               "move it to a function that the body calls");
}

static bool check_moved(Verifier *v, const IrOp *op, const IrType *t)
{
	if (ir_async_is_register(t))
		return true;
	verifier_error(v, op,
	               ": expected an integer of 8, 16, 32 or 64 bits or a pointer, found '%s'; use "
	               "'circ.try_copy'",
	               verifier_type(v, t));
	return false;
}

static void check_pointee(Verifier *v, const IrOp *op, const IrValue *pointer, const IrType *t)
{
	if (check_moved(v, op, t) && pointer->type->elem != t)
		verifier_error(v, op, ": the value has type '%s', but the address points to '%s'",
		               verifier_type(v, t), verifier_type(v, pointer->type->elem));
}

void verify_try_load(Verifier *v, const IrOp *op)
{
	check_pointee(v, op, ir_operand(op, 0), op->results[0].type);
}

void verify_try_store(Verifier *v, const IrOp *op)
{
	check_pointee(v, op, ir_operand(op, 1), ir_operand(op, 0)->type);
}

void verify_try_div(Verifier *v, const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type;
	if (t->kind != TYPE_INT || !ir_async_is_register(t))
		verifier_error(v, op, ": expected an integer of 8, 16, 32 or 64 bits, found '%s'",
		               verifier_type(v, t));
}

bool verifier_check_may_fault(Verifier *v, const IrOp *func)
{
	unsigned kind;
	bool inlined =
	    ir_op_has(func, NAME_always_inline) ||
	    (ir_attr_inline_kind(ir_op_attr(func, NAME_inline_kind), &kind) && kind == INLINE_ALWAYS_INLINE);
	if (!ir_op_has(func, NAME_circ_may_fault))
		return true;
	if (inlined)
		verifier_error(v, func, "has 'circ.may_fault' and cannot be inlined");
	else if (ir_op_is_nothrow(func))
		verifier_error(v, func, "has 'circ.may_fault' and cannot be 'nothrow'");
	else if (ir_op_has(func, NAME_section))
		verifier_error(v, func, "has 'circ.may_fault', which decides about its section");
	else
		return true;
	return false;
}
