#include "msvc/member_pointer_internal.h"

IrValue *ms_member_binary(IrBuilder *b, OpKind kind, IrType *type, IrValue *x, IrValue *y)
{
	IrValue *operands[] = {x, y};
	return &ir_build(b, kind, type, operands, 2)->results[0];
}

IrValue *ms_member_part(IrBuilder *b, const MemberForm *form, IrValue *v, MemberPart part)
{
	if (!ms_member_is_record(form))
		return v;
	unsigned index = (unsigned)form->index[part];
	IrOp *op = ir_build(b, OP_EXTRACT_MEMBER, form->type->members[index], &v, 1);
	ir_op_set_attr(b->m, op, ir_known_name(b->m, NAME_index), ir_attr_i64(b->m, index));
	return &op->results[0];
}

/* A null function is null, whatever stands beside it. Of an offset all parts count: one that
 * is 0 may lead into a virtual base. */
IrValue *ms_member_is_null(Members *p, IrBuilder *b, const MemberForm *form, IrValue *v)
{
	IrType *truth = ir_type_simple(b->m, TYPE_BOOL);
	IrValue *result = NULL;
	for (MemberPart part = 0; part < PART_COUNT; part++) {
		if (!ms_member_has(form, part) || (part != PART_FIRST && !form->is_data))
			continue;
		IrValue *null = ir_build_const(b, ms_member_null_part(p, form, part));
		IrValue *same = ir_build_cmp(b, CMP_EQ, ms_member_part(b, form, v, part), null);
		result = result ? ms_member_binary(b, OP_AND, truth, result, same) : same;
	}
	return result;
}
