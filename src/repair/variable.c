#include "repair/internal.h"

bool repair_is_variable(const IrValue *v, Str name)
{
	const IrOp *op = v->is_arg ? NULL : v->def.op;
	const IrAttr *a = op && op->kind == OP_ALLOCA ? ir_op_attr(op, NAME_name) : NULL;
	return a && str_equal(name_str(a->name), name);
}
