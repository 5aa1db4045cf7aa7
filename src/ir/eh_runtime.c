#include "ir/eh_runtime.h"

bool ir_is_circ_personality(const Name *name)
{
	return str_is(name_str(name), CIRC_PERSONALITY) || str_is(name_str(name), "__circ_personality_seh0");
}

static bool is_circ_module(const IrModule *m)
{
	const IrAttr *a = ir_module_attr(m, NAME_circ_eh_runtime);
	return a && a->kind == ATTR_STRING && str_is(name_str(a->name), "circ");
}

bool ir_module_is_sjlj(const IrModule *m)
{
	return ir_module_attr(m, NAME_circ_eh_model) != NULL;
}

bool ir_module_nests_filters(const IrModule *m)
{
	return ir_module_attr(m, NAME_circ_eh_filters) != NULL;
}

/* MLIR prints an i32 as a signed one, whatever was meant. */
bool ir_module_eh_language(const IrModule *m, uint32_t *language)
{
	const IrAttr *a = ir_module_attr(m, NAME_circ_eh_language);
	int64_t n = 0;
	if (a && !ir_attr_get_i64(a, &n))
		return false;
	bool is_i32 = a && a->type && a->type->kind == TYPE_BUILTIN_INT && a->type->width == 32;
	*language = (uint32_t)n;
	return is_i32 || (n >= 0 && n <= UINT32_MAX);
}

EhRuntime ir_func_eh_runtime(const IrModule *m, const IrOp *func)
{
	const Name *own = func->kind == OP_FUNC ? ir_op_symbol(func, NAME_personality) : NULL;
	bool circ = own ? ir_is_circ_personality(own) : is_circ_module(m);
	return circ ? EH_RUNTIME_CIRC : EH_RUNTIME_CXX;
}

void ir_func_drop_circ_personality(IrModule *m, IrOp *func)
{
	const Name *own = ir_op_symbol(func, NAME_personality);
	if (own && ir_is_circ_personality(own))
		ir_op_set_attr(m, func, ir_known_name(m, NAME_personality), NULL);
}
