/* Pads and what leaves them, as ops of the Microsoft form. */
#include "eh/microsoft/funclet.h"
#include "ir/function_entry.h"

IrOp *funclet_build_pad(Funclets *f, IrBuilder *b, OpKind kind, TypeKind type, const FuncletPad *parent,
                        const IrSuccSpec *succs, uint32_t nsuccs)
{
	IrType *result = ir_type_simple(f->m, type);
	IrOpSpec spec = {
	    .kind = kind, .result_types = &result, .nresults = 1, .succs = succs, .nsuccs = nsuccs};
	spec.operands = parent ? &parent->token : NULL;
	spec.noperands = parent != NULL;
	f->has_pads = true;
	return ir_build_spec(b, &spec);
}

void funclet_build_cleanupret(IrBuilder *b, IrValue *from, const IrSuccSpec *to)
{
	ir_build_spec(
	    b,
	    &(IrOpSpec){
	        .kind = OP_CLEANUPRET, .operands = &from, .noperands = 1, .succs = to, .nsuccs = to != NULL});
}

static IrValue *build_undef(IrBuilder *b, IrType *type)
{
	return ir_build_const(b, ir_attr_intern(b->m, &(IrAttr){.kind = ATTR_UNDEF, .type = type}));
}

FuncletTarget funclet_target_without_values(Funclets *f, FuncletPad *pad)
{
	const IrBlock *dest = pad->block;
	FuncletTarget t = {.pad = pad, .args = arena_array(f->mem, IrValue *, dest->nargs)};
	IrBuilder entry = ir_before(f->m, abi_entry_front(f->func));
	for (uint32_t i = 0; i < dest->nargs; i++)
		if (!ir_is_token(dest->args[i]->type))
			t.args[t.nargs++] = build_undef(&entry, dest->args[i]->type);
	return t;
}
