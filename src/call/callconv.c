#include "call/callconv.h"

#include "call/callconv_internal.h"

/* Function types in memory are the source's. */
static void rewrite_address(Rewrite *r, IrOp *op)
{
	const IrOp *func = ir_symbol(ir_op_symbol(op, NAME_symbol));
	if (!func || func->kind != OP_FUNC)
		return;
	const AbiSignature *sig = abi_signature_of(&r->s, func);
	IrValue *old = &op->results[0];
	if (sig->type == sig->source)
		return;
	IrType *source = old->type;
	old->type = ir_type_ptr_in(r->m, sig->type, source->attr);
	if (!old->uses)
		return;
	IrBuilder b = ir_before(r->m, op->next);
	b.loc = op->loc;
	IrValue *cast = ir_build_cast(&b, CAST_BITCAST, old, source);
	ir_value_replace(old, cast);
	ir_set_operand(cast->def.op, 0, old);
}

/* Returns what stands in its place. */
static IrOp *rewrite_op(Rewrite *r, IrOp *op)
{
	if (op_info[op->kind].flags & OPF_CALLS)
		return rewrite_call(r, op);
	if (op->kind == OP_GET_GLOBAL)
		rewrite_address(r, op);
	return op;
}

/* What is made on the way has nothing to rewrite, and what is erased is never before the
 * op at hand but its own operands. */
static void rewrite_body(Rewrite *r, IrRegion *body)
{
	IR_FOR_BLOCKS (b, body)
		for (IrOp *op = b->first; op; op = ir_op_next(op))
			op = rewrite_op(r, op);
}

static const char lowered_mark[] = "circ.calls_lowered";

bool abi_calls_are_lowered(const IrModule *m)
{
	for (uint32_t i = 0; i < m->nmodule_attrs; i++)
		if (str_equal(name_str(m->module_attrs[i].name), str_of(lowered_mark)))
			return true;
	return false;
}

/* As clang has it: x86 knows the kernels of OpenCL, for devices that are the host. */
static void warn_of_other_processors(const Rewrite *r, const IrOp *func)
{
	unsigned conv = ir_op_enum(func, NAME_calling_conv, CALLING_CONV_C);
	bool none = conv != CALLING_CONV_C && !r->s.has_conventions;
	if (none || conv == CALLING_CONV_PTX_KERNEL || conv == CALLING_CONV_AMDGPU_KERNEL ||
	    conv == CALLING_CONV_SPIR_FUNCTION)
		diag_warning(
		    r->d, func->loc,
		    "'cir.func' op calling convention '%s' does not exist on this target; using that of C",
		    ir_enum_info[ENUM_CALLING_CONV].words[conv]);
}

static void rewrite_symbol(Rewrite *r, IrOp *func)
{
	enum { FAR = 1 << 24 };
	r->far = FAR;
	warn_of_other_processors(r, func);
	rewrite_joins(r, func);
	rewrite_func(r, func);
	rewrite_body(r, &func->regions[0]);
}

bool abi_lower_calls(IrModule *m, const AbiTarget *target, const char *features, Diags *d)
{
	if (abi_calls_are_lowered(m))
		return true;
	ArenaMark mark = arena_mark(&m->scratch);
	Rewrite r = {.m = m, .d = d, .ok = true};
	abi_signatures_init(&r.s, m, target, features, &m->arena);
	IR_FOR_OPS (op, ir_module_block(m))
		if (op->kind == OP_FUNC)
			rewrite_symbol(&r, op);
	arena_release(&m->scratch, mark);
	if (r.changed) {
		ir_module_set_attr(m, ir_name(m, str_of(lowered_mark)), ir_attr_unit(m));
		ir_module_set_attr(m, ir_known_name(m, NAME_circ_older_text),
		                   NULL); /* nothing is left to guess */
	}
	return r.ok;
}
