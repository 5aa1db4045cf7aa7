#include "eh/microsoft/funclet_prepare.h"

#include "eh/runtime.h"
#include "eh/token_flow.h"
#include "ir/function_entry.h"

static void split_with_branch(IrModule *m, IrOp *op)
{
	IrBlock *b = op->block;
	IrBuilder end = ir_at_end(m, b, op->loc);
	ir_build_br(&end, ir_block_split(m, b, op, op->loc), NULL, 0);
}

static bool stands_alone(const IrOp *op)
{
	return !op->prev || (op->prev->kind == OP_EH_INITIATE && !op->prev->prev);
}

/* Copies into catch parameters
 *
 * 	cir.construct_catch_param non_trivial_copy %t to %x using @copy
 * 	%c, %p = cir.begin_catch %t
 *
 * to
 *
 * 	%c, %p = cir.begin_catch %t
 * 	cir.try_call @copy(%x, %p) ^rest, ^terminate
 *
 * The runtime could make the copy too (a catch object without adjective 8), with what the thrower's tables
 * say; a thrower that was compiled for two ABIs has only the thunk of the handler to say it. A throw out of
 * the copy terminates in both cases. */

static IrBlock *terminate_block(IrModule *m, const IrOp *op)
{
	IrBlock *b = ir_block_create(m, op->loc);
	ir_block_append(op->block->region, b);
	IrBuilder end = ir_at_end(m, b, op->loc);
	IrValue *token =
	    &ir_build(&end, OP_EH_INITIATE, ir_type_simple(m, TYPE_EH_TOKEN), NULL, 0)->results[0];
	ir_build(&end, OP_EH_TERMINATE, NULL, &token, 1);
	return b;
}

static IrOp *begin_catch_behind(IrOp *op)
{
	while (op->kind != OP_BEGIN_CATCH)
		op = op->next;
	return op;
}

static void call_thunk(IrModule *m, IrOp *op)
{
	IrOp *begin = begin_catch_behind(op), *thunk = ir_symbol(ir_op_symbol(op, NAME_copy_fn));
	IrType *const *params = ir_func_type(thunk)->members;
	IrBuilder b = ir_before(m, begin->next);
	b.loc = op->loc;
	IrValue *args[] = {ir_build_bitcast(&b, ir_operand(op, 1), params[0]),
	                   ir_build_bitcast(&b, &begin->results[1], params[1])};
	IrNamedAttr callee = {ir_known_name(m, NAME_callee), ir_attr_symbol(m, ir_symbol_name(thunk))};
	IrOpSpec spec = {.kind = OP_CALL, .operands = args, .noperands = 2, .attrs = &callee, .nattrs = 1};
	IrOp *call = ir_build_spec(&b, &spec);
	if (ir_op_may_throw(call)) {
		IrBuilder end = ir_at_end(m, call->block, op->loc);
		IrBlock *rest = ir_block_split(m, call->block, call->next, call->next->loc);
		ir_op_erase(call);
		IrSuccSpec edges[] = {{.dest = rest}, {.dest = terminate_block(m, op)}};
		spec.kind = OP_TRY_CALL;
		spec.succs = edges;
		spec.nsuccs = 2;
		ir_build_spec(&end, &spec);
	}
	ir_op_erase(op);
}

/* Specifications of exceptions: the Microsoft runtime has no filters that resume or replace the exception. */
static bool refuse_specification(Diags *d, const IrOp *op)
{
	diag_error(d, op->loc,
	           "exception specification is not supported by the Microsoft ABI; use typed handlers, "
	           "'catch_all' or 'cir.eh.terminate'");
	return false;
}

/* A cleanup that never ends has a way on that is never taken, so that the handlers around it are
 * found (flatten/unwind.c). LLVM reads that way off its cleanupret, which must not be folded away
 * with a condition that it can see. */
static void hide_condition(IrModule *m, IrOp *func, IrOp *op)
{
	const IrValue *condition = ir_operand(op, 0);
	bool ends = false;
	for (uint32_t i = 0; i < op->nsuccs; i++)
		ends |= op->succs[i].dest->first->kind == OP_END_CLEANUP;
	if (!ends || condition->is_arg || condition->def.op->kind != OP_CONST)
		return;
	IrBuilder entry = ir_before(m, abi_entry_front(func));
	IrValue *slot = ir_build_alloca(&entry, condition->type, STR("__never_ends"), 0);
	IrValue *constant = ir_build_const(&entry, ir_op_attr(condition->def.op, NAME_value));
	ir_build_store(&entry, constant, slot);
	IrBuilder b = ir_before(m, op);
	IrValue *hidden = ir_build_load(&b, slot);
	ir_set_flag(m, hidden->def.op, NAME_is_volatile_flag);
	ir_set_operand(op, 0, hidden);
}

/* It has no handlers: the exception goes on, and there is nothing to make a catchswitch of. */
static void replace_dispatch(IrModule *m, IrOp *op)
{
	IrBuilder b = ir_before(m, op);
	IrValue *token = ir_operand(op, 0);
	ir_build_br(&b, op->succs[0].dest, &token, 1);
	ir_op_erase(op);
}

static bool prepare_op(IrModule *m, IrOp *func, IrOp *op, Diags *d)
{
	switch (op->kind) {
	case OP_BRCOND:
		hide_condition(m, func, op);
		return true;
	case OP_END_CATCH:
		if (op->next->kind != OP_BR)
			split_with_branch(m, op->next);
		return true;
	case OP_EH_DISPATCH:
		if (abi_dispatch_filter(op))
			return refuse_specification(d, op);
		if (op->nsuccs == 1 && !abi_dispatch_catches_all(op))
			replace_dispatch(m, op);
		else if (!stands_alone(op))
			split_with_branch(m, op);
		return true;
	case OP_EH_TERMINATE:
		if (!stands_alone(op))
			split_with_branch(m, op);
		return true;
	case OP_EH_UNEXPECTED:
		return refuse_specification(d, op);
	case OP_CONSTRUCT_CATCH_PARAM:
		if (ir_op_symbol(op, NAME_copy_fn))
			call_thunk(m, op);
		return true;
	default:
		return true;
	}
}

bool funclet_prepare(IrModule *m, IrOp *func, Diags *d)
{
	IR_FOR_BLOCKS (b, &func->regions[0]) {
		IrOp *next;
		for (IrOp *op = b->first; op; op = next) {
			next = op->next;
			if (!prepare_op(m, func, op, d))
				return false;
		}
	}
	return true;
}
