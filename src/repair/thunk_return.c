/* Thunks (Itanium C++ ABI, 2.5.2) that do not return what they have called for: until May of 2026 clang printed
 *
 *	%r = cir.call @method(%adjusted); cir.store %r, %__retval; cir.trap
 *
 * for a record, with cir.unreachable where it optimised. The variable is what the thunk returns: a record that is
 * returned in memory is made there by the method, and knows its own address. */
#include "repair/internal.h"

/* Nothing but store knows the variable. */
static bool is_variable_of(const IrOp *store, const IrValue *address)
{
	return !address->is_arg && address->def.op->kind == OP_ALLOCA && address->uses->user == store &&
	       !address->uses->next;
}

static IrOp *unreturned_result(const IrOp *func)
{
	if (!repair_is_thunk(func) || ir_func_is_declaration(func))
		return NULL;
	const IrBlock *body = func->regions[0].first;
	const IrOp *end = body->last;
	if (body->next || (end->kind != OP_TRAP && end->kind != OP_UNREACHABLE))
		return NULL;
	IrOp *store = end->prev;
	const IrOp *call = store ? store->prev : NULL;
	if (!call || call->kind != OP_CALL || store->kind != OP_STORE)
		return NULL;
	const IrValue *v = ir_operand(store, 0);
	bool forwards = !v->is_arg && v->def.op == call && v->type == ir_func_type(func)->elem;
	return forwards && is_variable_of(store, ir_operand(store, 1)) ? store : NULL;
}

static void return_result(IrModule *m, IrOp *store)
{
	IrOp *end = store->next;
	IrBuilder b = ir_before(m, end);
	IrValue *result = ir_build_load(&b, ir_operand(store, 1));
	ir_build(&b, OP_RETURN, NULL, &result, 1);
	ir_op_erase(end);
}

bool repair_thunk_returns(Repair *r)
{
	IR_FOR_OPS (op, ir_module_block(r->m)) {
		IrOp *store = op->kind == OP_FUNC ? unreturned_result(op) : NULL;
		if (store && repair_at(r, op->loc))
			return_result(r->m, store);
	}
	return true;
}
