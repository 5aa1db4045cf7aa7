#include "call/external_function.h"

static void take(AbiOutside *o, IrModule *m, const Name *name)
{
	if (name)
		ptrmap_put(&m->scratch, &o->taken, name, (void *)(uintptr_t)name);
}

void abi_outside_init(AbiOutside *o, IrModule *m)
{
	*o = (AbiOutside){0};
	for (const IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		if (op->kind == OP_GET_GLOBAL)
			take(o, m, ir_op_symbol(op, NAME_symbol));
	for (uint32_t i = 0; i < m->attrs.nheld; i++) {
		const IrAttr *a = m->attrs.held[i];
		if (a->kind == ATTR_GLOBAL_VIEW || a->kind == ATTR_METHOD)
			take(o, m, a->name);
	}
}

bool abi_is_outside(const AbiOutside *o, const IrOp *func)
{
	unsigned linkage = ir_op_enum(func, NAME_linkage, LINKAGE_EXTERNAL);
	bool local = linkage == LINKAGE_INTERNAL || linkage == LINKAGE_CIR_PRIVATE;
	return !local || ptrmap_get(&o->taken, ir_symbol_name(func));
}
