/* The CPU of functions that are made here.
 *
 * clang says at each function which CPU it is for; an initializer is a region of a global, and says nothing. What
 * is made of one is for the CPU that all functions of the module agree on: for another, vectors would be passed
 * another way, and intrinsics have no code.
 */
#include "expand/internal.h"

static bool is_about_cpu(const IrNamedAttr *a)
{
	static const char *const keys[] = {"target-cpu", "target-features", "tune-cpu"};
	for (unsigned i = 0; i < ARRAY_LEN(keys); i++)
		if (str_is(ir_attr_llvm_key(a->name), keys[i]))
			return true;
	return false;
}

static bool is_definition(const IrOp *op)
{
	return op->kind == OP_FUNC && !ir_func_is_declaration(op);
}

/* Of the functions from `first` on. end: the first op that is none of the program's. */
static bool all_have(const IrOp *first, const IrOp *end, const IrNamedAttr *a)
{
	for (const IrOp *op = first; op != end; op = op->next)
		if (is_definition(op) && ir_op_attr(op, a->name->id) != a->value)
			return false;
	return true;
}

void expand_share_cpu(Expand *x, const IrOp *last)
{
	if (!last || !last->next)
		return;
	IrOp *made = last->next;
	const IrOp *first = ir_module_block(x->m)->first;
	while (first != made && !is_definition(first))
		first = first->next;
	for (uint32_t i = 0; first != made && i < first->nattrs; i++) {
		const IrNamedAttr a = first->attrs[i];
		if (!is_about_cpu(&a) || !all_have(first, made, &a))
			continue;
		for (IrOp *op = made; op; op = op->next)
			if (is_definition(op))
				ir_op_set_attr(x->m, op, a.name, a.value);
	}
}
