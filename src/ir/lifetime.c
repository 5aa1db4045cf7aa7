#include "ir/lifetime.h"

bool ir_only_ends_lifetimes(const IrOp *scope)
{
	const IrBlock *cleanup = scope->regions[1].first;
	if (!cleanup || cleanup != scope->regions[1].last || !cleanup->first ||
	    cleanup->first->kind == OP_YIELD)
		return false;
	IR_FOR_OPS (op, cleanup) {
		bool end = op->kind == OP_LIFETIME_END && op->noperands;
		const IrValue *v = end ? ir_operand(op, 0) : NULL;
		if (op->kind != OP_YIELD && (!v || v->is_arg || v->def.op->kind != OP_ALLOCA))
			return false;
	}
	return true;
}

void ir_forget_lifetime(const IrValue *variable)
{
	for (IrUse *u = variable->uses, *next; u; u = next) {
		next = u->next;
		if (u->user->kind == OP_LIFETIME_START || u->user->kind == OP_LIFETIME_END)
			ir_op_erase(u->user);
	}
}
