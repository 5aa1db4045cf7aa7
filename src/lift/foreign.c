/* What was made for System V and does not run on Windows: one warning a function. */
#include "lift/lift.h"

static bool begins(const Name *name, const char *prefix)
{
	return name && str_begins_with(name_str(name), str_of(prefix));
}

static bool is_x87(const IrType *t)
{
	return t->kind == TYPE_F80 || t->kind == TYPE_LONG_DOUBLE;
}

static bool is_by_value(const IrOp *call, uint32_t arg)
{
	const IrAttr *attrs = ir_op_attr(call, NAME_arg_attrs);
	const IrAttr *own = attrs && arg < attrs->n ? attrs->elems[arg] : NULL;
	for (uint32_t i = 0; own && own->kind == ATTR_DICT && i < own->n; i++)
		if (str_is(name_str(own->keys[i]), "llvm.byval"))
			return true;
	return false;
}

/* NULL: nothing is wrong with it. */
static const char *wrong_with_call(const IrOp *call)
{
	const Name *callee = ir_call_callee(call);
	const IrOp *func = ir_symbol(callee);
	if (begins(callee, "llvm.va_start"))
		return "reads variable arguments as System V passes them";
	if (!func || func->kind != OP_FUNC || !ir_func_is_declaration(func) || begins(callee, "llvm."))
		return NULL;
	for (uint32_t i = 0; i < ir_call_nargs(call); i++) {
		if (is_by_value(call, i))
			return "passes a record in memory, as System V does";
		if (is_x87(ir_call_arg(call, i)->type))
			return "passes a 'long double' of 80 bits";
	}
	return call->nresults && is_x87(call->results[0].type) ? "takes a 'long double' of 80 bits" : NULL;
}

static void warn(const IrOp *func, Diags *d)
{
	IR_FOR_BLOCKS (b, &func->regions[0])
		IR_FOR_OPS (op, b) {
			const char *wrong = op_info[op->kind].flags & OPF_CALLS ? wrong_with_call(op) : NULL;
			if (!wrong)
				continue;
			const Name *callee = ir_call_callee(op);
			bool own = begins(callee, "llvm.");
			diag_warning(d, op->loc, "function '%s' %s%s%s%s; on Windows that does not work",
			             ir_symbol_name(func)->text, wrong, own ? "" : " to or from '",
			             own ? "" : callee->text, own ? "" : "'");
			return;
		}
}

void lift_warn_of_foreign(IrModule *m, Diags *d)
{
	IR_FOR_OPS (op, ir_module_block(m))
		if (op->kind == OP_FUNC && !ir_func_is_declaration(op))
			warn(op, d);
}
