#include "ir/thunk.h"

/* <special-name> ::= Th <call-offset> _ <encoding>, Tv the same, Tc with two offsets */
bool ir_is_thunk(const IrOp *func)
{
	Str name = name_str(ir_symbol_name(func));
	return str_begins_with(name, STR("_ZTh")) || str_begins_with(name, STR("_ZTv")) ||
	       str_begins_with(name, STR("_ZTc"));
}

/* Nothing but store knows the variable. */
static bool is_variable_of(const IrOp *store, const IrValue *address)
{
	return !address->is_arg && address->def.op->kind == OP_ALLOCA && address->uses->user == store &&
	       !address->uses->next;
}

IrOp *ir_unreturned_result(const IrOp *func)
{
	if (!ir_is_thunk(func) || ir_func_is_declaration(func))
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
