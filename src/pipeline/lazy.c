#include "pipeline/lazy.h"

static bool is_weak(unsigned linkage)
{
	return linkage != LINKAGE_EXTERNAL && linkage != LINKAGE_INTERNAL && linkage != LINKAGE_CIR_PRIVATE;
}

LazyFunctions pipeline_lazy_functions(const Pipeline *p, Arena *mem)
{
	LazyFunctions out = {0};
	IR_FOR_OPS (op, ir_module_block(p->m)) {
		const Name *name = op->kind == OP_FUNC && lower_is_definition(op) ? ir_symbol_name(op) : NULL;
		if (!name || p->divided.part[name->id] == 0)
			continue;
		unsigned linkage = ir_op_enum(op, NAME_linkage, LINKAGE_EXTERNAL);
		bool is_private = linkage == LINKAGE_CIR_PRIVATE;
		bool local = is_private || linkage == LINKAGE_INTERNAL;
		if (local && !p->divided.shared[name->id])
			continue;
		const char *text = arena_printf(mem, "%s%s", is_private ? SPLIT_PRIVATE : "", name->text);
		vec_push(mem, &out,
		         ((LazyFunction){text, p->divided.part[name->id], local, is_weak(linkage)}));
	}
	return out;
}
