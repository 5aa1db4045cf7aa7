/* abi/callconv_return.c: returns of functions whose signature changes. The variable that is returned becomes the memory
 * that the caller gives for the result, where nobody can tell.
 */
#include "abi/rewrite.h"

#include "ir/layout.h"

/* A guaranteed tail call hands its result on: it is rewritten with the call. */
static bool returns_tail_call(const IrOp *ret)
{
	const IrValue *v = ir_operand(ret, 0);
	return !v->is_arg && v->def.op->next == ret && v->def.op->kind == OP_CALL &&
	       ir_op_has(v->def.op, NAME_musttail);
}

static void return_nothing(Rewrite *r, IrOp *ret)
{
	IrOp *source = rewrite_source(ir_operand(ret, 0));
	ir_op_set_main_operands(r->m, ret, NULL, 0);
	if (source)
		rewrite_drop(source);
}

static void return_pieces(Rewrite *r, IrOp *ret)
{
	IrValue *v = ir_operand(ret, 0), *whole;
	IrType *t = v->type;
	IrOp *source = rewrite_source(v);
	const AbiPassing *p = &r->sig->result;
	if (source) {
		IrBuilder b = ir_before(r->m, source);
		whole =
		    rewrite_load_whole(r, &b, t, p, ir_operand(source, 0), rewrite_access_align(source, t));
	} else {
		IrBuilder b = ir_before(r->m, ret);
		IrValue *slot = rewrite_slot(r, t, abi_type_align(&r->s.types, t), b.loc);
		ir_build_store(&b, v, slot);
		whole = rewrite_load_whole(r, &b, t, p, slot, ir_type_align(t));
	}
	ir_set_operand(ret, 0, whole);
	if (source)
		rewrite_drop(source);
}

static bool is_returned(Rewrite *r, const IrOp *source, const IrOp *ret)
{
	return rewrite_is_quiet(source, ret) || (abi_goes_by_address(&r->s.types, r->sig->source->elem) &&
	                                         rewrite_is_left_alone(r, source, ret));
}

static bool loads_result(Rewrite *r, const IrOp *ret)
{
	const IrOp *source = rewrite_source(ir_operand(ret, 0));
	return source && ir_operand(source, 0) == r->sret && is_returned(r, source, ret);
}

/* Where the variable that is returned lives in the memory of the caller, nothing is left to do. */
static void return_in_memory(Rewrite *r, IrOp *ret)
{
	IrValue *v = ir_operand(ret, 0);
	if (!loads_result(r, ret)) {
		IrBuilder b = ir_before(r->m, ret);
		if (v->is_arg || !(op_info[v->def.op->kind].flags & OPF_CALLS))
			rewrite_check_new(r, ret->loc, v, "returned");
		rewrite_store(&b, v, r->sret, r->sig->result.align);
	}
	return_nothing(r, ret);
}

/* The variable that a return loads: it can live where the caller wants the result ("named return value"). */
static void place_variable(Rewrite *r, const IrOp *ret)
{
	const IrOp *source = rewrite_source(ir_operand(ret, 0));
	IrValue *slot = source ? ir_operand(source, 0) : NULL;
	if (source && is_returned(r, source, ret) &&
	    rewrite_is_replaceable(slot, r->sret->type, r->sig->result.align))
		rewrite_replace_slot(r, slot, r->sret);
}

static void rewrite_return(Rewrite *r, IrOp *ret)
{
	switch (r->sig->result.how) {
	case PASS_PIECES:
		return_pieces(r, ret);
		break;
	case PASS_ADDRESS:
		return_in_memory(r, ret);
		break;
	case PASS_NOTHING:
		return_nothing(r, ret);
		break;
	default:
		break;
	}
}

static IrOp *return_of(const IrBlock *b)
{
	IrOp *last = b->last;
	return last && last->kind == OP_RETURN && ir_op_nmain(last) && !returns_tail_call(last) ? last : NULL;
}

void rewrite_returns(Rewrite *r)
{
	const IrRegion *body = &r->func->regions[0];
	IrOp *ret = NULL;
	if (r->sig->result.how == PASS_AS_IS || r->sig->result.how == PASS_EXTENDED)
		return;
	bool itself = abi_goes_by_address(&r->s.types, r->sig->source->elem);
	for (IrBlock *b = body->first; b && r->sret && !itself && !ret; b = b->next)
		if ((ret = return_of(b)))
			place_variable(r, ret);
	IR_FOR_BLOCKS (b, body)
		if ((ret = return_of(b)))
			rewrite_return(r, ret);
	if (r->sret && itself)
		rewrite_share(r);
}
