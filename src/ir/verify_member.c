/* Casts between classes at run time, pointers to members (cir-reference 5.1 and 5.6). */
#include "ir/verifier.h"

static bool check_record_ptr(Verifier *v, const IrOp *op, const IrType *t, bool void_too, const char *what)
{
	if (t->elem->kind == TYPE_RECORD || (void_too && t->elem->kind == TYPE_VOID))
		return true;
	verifier_error(v, op, "%s must be a pointer to a record%s, but got '%s'", what,
	               void_too ? " or to !cir.void" : "", verifier_type(v, t));
	return false;
}

/* The address of a type info, or null. */
static bool check_rtti(Verifier *v, const IrOp *op, const IrAttr *a, const char *what)
{
	bool fits = a && ir_is_ptr(a->type ? a->type : v->m->s32) &&
	            (a->kind == ATTR_GLOBAL_VIEW || a->kind == ATTR_PTR);
	if (!fits) {
		verifier_error(v, op, "%s must be an RTTI pointer", what);
		return false;
	}
	return a->kind == ATTR_PTR || verifier_check_constant(v, op, a);
}

static bool check_info(Verifier *v, const IrOp *op, const IrAttr *info)
{
	if (info->kind != ATTR_PARAMS || info->row != ATTR_ROW_DYN_CAST_INFO) {
		verifier_error(v, op, "attribute 'info' must be a #cir.dyn_cast_info");
		return false;
	}
	const IrAttr *hint = info->elems[DYN_CAST_INFO_OFFSET_HINT];
	if (!check_rtti(v, op, info->elems[DYN_CAST_INFO_SRC_RTTI], "srcRtti") ||
	    !check_rtti(v, op, info->elems[DYN_CAST_INFO_DEST_RTTI], "destRtti"))
		return false;
	if (hint->kind == ATTR_INT && hint->type && ir_is_int(hint->type))
		return true;
	verifier_error(v, op, "offset_hint must be an integer constant");
	return false;
}

void verify_dyn_cast(Verifier *v, const IrOp *op)
{
	const IrAttr *info = ir_op_attr(op, NAME_info);
	bool complete = op->results[0].type->elem->kind == TYPE_VOID;
	bool ref = ir_op_enum(op, NAME_kind, DYNAMIC_CAST_PTR) == DYNAMIC_CAST_REF;
	if (!check_record_ptr(v, op, ir_operand(op, 0)->type, false, "operand") ||
	    !check_record_ptr(v, op, op->results[0].type, true, "result"))
		return;
	if (!info && !complete)
		verifier_error(v, op, "needs a #cir.dyn_cast_info, unless it is to a pointer to !cir.void");
	else if (!info && ref)
		verifier_error(v, op, "to the complete object takes a pointer, not a reference");
	else if (info)
		check_info(v, op, info);
}
