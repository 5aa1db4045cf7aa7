/* What stands for a type in a dispatch: the type, or, where the table has a function that compares, a filter which asks it. */
#include "lift/lifter.h"

#include "ir/libcall.h"

static Name *make_filter(Lift *l, Name *type)
{
	IrModule *m = l->m;
	Str name = l->table->compare;
	LibFn fn = {.name = arena_copy(&m->arena, name.data, name.len),
	            .type = "ipp",
	            .what = "function of the table for exceptions"};
	IrType *params[] = {m->voidp, m->voidp};
	IrOp *filter =
	    ir_func_create_part(m, l->func, "when", ir_type_func(m, params, 2, m->s32, false), l->func->loc);
	IrBuilder b = ir_at_end(m, ir_func_add_entry(m, filter), l->func->loc);
	IrValue *address = ir_build_bitcast(&b, ir_build_get_global(&b, type), m->voidp);
	IrValue *args[] = {address, filter->regions[0].first->args[0]};
	IrOp *call = libfn_call(&b, &fn, args, 2, l->d);
	l->failed |= !call;
	if (call) {
		IrValue *answer = ir_build_cast(&b, CAST_INTEGRAL, &call->results[0], m->s32);
		ir_build(&b, OP_RETURN, NULL, &answer, 1);
	}
	return ir_symbol_name(filter);
}

const IrAttr *lift_entry(Lift *l, const Name *type)
{
	Name *name = (Name *)(uintptr_t)type;
	if (!l->own || !l->table->compare.len)
		return ir_attr_global_view(l->m, ir_type_ptr(l->m, l->m->u8), name, NULL, 0);
	Name *filter = ptrmap_get(&l->filters, name);
	if (!filter) {
		filter = make_filter(l, name);
		ptrmap_put(l->mem, &l->filters, name, filter);
	}
	return ir_attr_symbol(l->m, filter);
}
