#include "eh/runtime.h"

#include "ir/eh_runtime.h"

IrOp *runtime_require(Runtime *r, const LibFn *fn, RuntimeUse *use, Loc user)
{
	if (use->func || use->refused)
		return use->func;
	use->func = libfn_require(r->m, fn, user, r->d);
	if (!use->func) {
		use->refused = true;
		r->ok = false;
	}
	return use->func;
}

IrOp *runtime_call(Runtime *r, IrBuilder *b, const LibFn *fn, RuntimeUse *use, IrValue *const *args,
                   uint32_t nargs, const IrSuccSpec *edges)
{
	IrOp *func = runtime_require(r, fn, use, b->loc);
	CHECK(nargs == strlen(fn->type) - 1);
	return func ? libfn_build_call(b, func, args, nargs, edges) : NULL;
}

/* Only its address is taken, so the type of a declaration that is there does not matter. */
Name *runtime_personality(Runtime *r)
{
	if (r->personality)
		return r->personality;
	Str text = str_of(r->target->personality);
	const IrOp *func = ir_func_declare(r->m, text, ir_type_func(r->m, NULL, 0, r->m->s32, true));
	if (func->kind != OP_FUNC) {
		diag_error(r->d, func->loc,
		           "'%s' must be the personality routine of %s, but is a variable here",
		           r->target->personality, r->target->name);
		r->ok = false;
	}
	return r->personality = ir_name(r->m, text);
}

IrValue *runtime_address(IrBuilder *b, Name *symbol)
{
	return ir_build_bitcast(b, ir_build_get_global(b, symbol), b->m->voidp);
}

void runtime_replace_ptr(IrBuilder *b, IrValue *old, IrValue *by)
{
	if (old->uses)
		ir_value_replace(old, ir_build_bitcast(b, by, old->type));
}

/* The first op that a form without tokens has another for, or NULL. */
static const IrOp *first_of_exceptions(const IrOp *func)
{
	for (const IrOp *op = ir_walk_first(&func->regions[0]); op; op = ir_walk_next(op, &func->regions[0]))
		if (!(op_info[op->kind].stages & (STAGE_ITANIUM | STAGE_MICROSOFT)))
			return op;
	return NULL;
}

bool runtime_check_supported(const IrModule *m, Diags *d)
{
	bool ok = true;
	IR_FOR_OPS (op, ir_module_block(m)) {
		const IrOp *first = op->kind == OP_EXCEPTION_TYPE ? op : NULL;
		if (op->kind == OP_FUNC && ir_func_eh_runtime(m, op) == EH_RUNTIME_CIRC)
			first = first_of_exceptions(op);
		if (!first)
			continue;
		diag_error(d, first->loc, "'%s' op: exceptions of circ's runtime are not supported yet",
		           op_info[first->kind].name);
		ok = false;
	}
	return ok;
}
