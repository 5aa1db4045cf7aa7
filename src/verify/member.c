/* Casts between classes at run time, pointers to members (cir-reference 5.1 and 5.6). */
#include "verify/verifier.h"

static bool check_record_ptr(Verifier *v, const IrOp *op, const IrType *t, bool void_too, const char *what)
{
	if (t->elem->kind == TYPE_RECORD || (void_too && t->elem->kind == TYPE_VOID))
		return true;
	verifier_error(v, op, ": expected the %s to be a pointer to a record%s, found '%s'", what,
	               void_too ? " or to !cir.void" : "", verifier_type(v, t));
	return false;
}

/* The address of a type info, or null. */
static bool check_rtti(Verifier *v, const IrOp *op, const IrAttr *a, const char *what)
{
	bool fits = a && ir_is_ptr(a->type ? a->type : v->m->s32) &&
	            (a->kind == ATTR_GLOBAL_VIEW || a->kind == ATTR_PTR);
	if (!fits) {
		verifier_error(v, op, ": '%s' must be the address of a type info", what);
		return false;
	}
	return a->kind == ATTR_PTR || verifier_check_constant(v, op, a);
}

static bool has_null_dest(const IrAttr *info)
{
	const IrAttr *dest = info->kind == ATTR_PARAMS && info->row == ATTR_ROW_DYN_CAST_INFO
	                         ? info->elems[DYN_CAST_INFO_DEST_RTTI]
	                         : NULL;
	return dest && dest->kind == ATTR_PTR;
}

/* A null dest_rtti stands for the complete object. */
static bool check_info(Verifier *v, const IrOp *op, const IrAttr *info, bool complete)
{
	if (info->kind != ATTR_PARAMS || info->row != ATTR_ROW_DYN_CAST_INFO) {
		verifier_error(v, op, ": expected attribute 'info' to be #cir.dyn_cast_info<…>");
		return false;
	}
	const IrAttr *hint = info->elems[DYN_CAST_INFO_OFFSET_HINT];
	if (!check_rtti(v, op, info->elems[DYN_CAST_INFO_SRC_RTTI], "src_rtti") ||
	    !check_rtti(v, op, info->elems[DYN_CAST_INFO_DEST_RTTI], "dest_rtti"))
		return false;
	if (has_null_dest(info) && !complete) {
		verifier_error(v, op,
		               ": 'dest_rtti' can only be null if the result is a pointer to !cir.void");
		return false;
	}
	if (hint->kind == ATTR_INT && hint->type && ir_is_int(hint->type))
		return true;
	verifier_error(v, op, ": 'offset_hint' must be an integer");
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
		verifier_error(v, op,
		               "needs a #cir.dyn_cast_info<…>, unless the result is a pointer to !cir.void");
	else if (ref && complete && (!info || has_null_dest(info)))
		verifier_error(v, op, ": a cast to the complete object takes a pointer, not a reference");
	else if (info)
		check_info(v, op, info, complete);
}

/* Pointers to members */

static const IrType *class_of(const IrType *member_pointer)
{
	return member_pointer->members[0];
}

void verify_get_runtime_member(Verifier *v, const IrOp *op)
{
	const IrType *object = ir_operand(op, 0)->type, *member = ir_operand(op, 1)->type;
	const IrType *result = op->results[0].type;
	if (object->elem != class_of(member))
		verifier_error(v, op, ": the record is not the one that the pointer to member belongs to");
	else if (result->elem != member->elem)
		verifier_error(v, op, ": the result does not point to the type of the member");
	else if (object->attr != result->attr)
		verifier_error(v, op, ": the result must be in the address space of the operand");
}

/* The callee takes the object and what the method takes; older eras leave the object out
 * of the method's own type. */
static bool fits_method(const IrType *callee, const IrType *method)
{
	if (callee->kind != TYPE_FUNC || callee->elem != method->elem ||
	    callee->variadic != method->variadic || !callee->nmembers || !ir_is_ptr(callee->members[0]))
		return false;
	uint32_t with_object = callee->nmembers == method->nmembers;
	if (callee->nmembers - 1 + with_object != method->nmembers)
		return false;
	for (uint32_t i = 1; i < callee->nmembers; i++)
		if (callee->members[i] != method->members[i - 1 + with_object])
			return false;
	return true;
}

void verify_get_method(Verifier *v, const IrOp *op)
{
	const IrType *method = ir_operand(op, 0)->type, *callee = op->results[0].type->elem;
	if (ir_operand(op, 1)->type->elem != class_of(method))
		verifier_error(v, op, ": the record is not the one that the pointer to member belongs to");
	else if (!fits_method(callee, method->elem))
		verifier_error(v, op,
		               ": expected result #0 to point to a function that takes a pointer to the "
		               "object and the parameters of '%s', found '%s'",
		               verifier_type(v, method->elem), verifier_type(v, callee));
}

void verify_member_cast(Verifier *v, const IrOp *op)
{
	const IrType *from = ir_operand(op, 0)->type, *to = op->results[0].type;
	uint64_t offset;
	if (from->kind == TYPE_DATA_MEMBER && from->elem != to->elem)
		verifier_error(v, op, ": operand and result must point to members of the same type");
	else if (!ir_attr_get_u64(ir_op_attr(op, NAME_offset), &offset))
		verifier_error(v, op, ": the offset must not be negative");
}
