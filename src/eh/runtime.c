#include "eh/runtime.h"

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
	Str text = str_of(r->personality_routine);
	const IrOp *func = ir_func_declare(r->m, text, ir_type_func(r->m, NULL, 0, r->m->s32, true));
	if (func->kind != OP_FUNC) {
		diag_error(r->d, func->loc,
		           "'%s' must be the personality routine of %s, but is a variable here",
		           r->personality_routine, r->target->name);
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
