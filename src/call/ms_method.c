#include "call/ms_method.h"

MsCallee ms_callee_of(const IrOp *func)
{
	return ms_symbol_callee(name_str(ir_symbol_name(func)));
}

bool ms_takes_this(const IrType *func)
{
	return func->nmembers && func->members[0]->kind == TYPE_PTR;
}

IrType *ms_called_type(const IrOp *op)
{
	return op->kind == OP_FUNC ? ir_func_type(op) : ir_operand(op, 0)->type->elem;
}

const IrOp *ms_aliased(const IrOp *func)
{
	while (func && func->kind == OP_FUNC && ir_op_has(func, NAME_aliasee))
		func = ir_symbol(ir_op_symbol(func, NAME_aliasee));
	return func;
}

bool ms_is_method(const IrOp *op)
{
	if (!ms_takes_this(ms_called_type(op)))
		return false;
	const IrOp *func = ms_aliased(op);
	const IrAttr *told = func ? ir_op_attr(func, NAME_ms_method) : NULL;
	if (told || !func)
		return told && told->bits;
	return ir_op_has(func, NAME_cir_instance_method) ||
	       (func->kind == OP_FUNC && ms_callee_of(func) == MS_CALLEE_METHOD);
}
