/* Records: members, bit-fields, addresses of base classes (cir-reference 5.6). */
#include "ir/verifier.h"

#include "ir/attr.h"

/* Members */

/* What an access to the member reads or writes; NULL: nothing is there (a zero-width bit-field). */
static const IrType *member_storage(const IrType *member)
{
	return member->kind == TYPE_BITFIELD ? member->elem : member;
}

/* The type of the member that attribute `index` names, or NULL: reported. */
static const IrType *find_member(Verifier *v, const IrOp *op, const IrType *record)
{
	uint64_t index;
	if (!ir_attr_get_u64(ir_op_attr(op, NAME_index), &index) || index >= record->nmembers) {
		verifier_error(v, op, "member index out of bounds");
		return NULL;
	}
	const IrType *t = member_storage(record->members[index]);
	if (!t)
		verifier_error(v, op, "member is a bit-field of width zero");
	if (t && verifier_holds_nothing(v, record, t)) {
		verifier_error(v, op,
		               "accesses '%s' in record '%s', which 'cir.record_layouts' says is empty",
		               verifier_type(v, t), record->name->text);
		return NULL;
	}
	return t;
}

static void report_member(Verifier *v, const IrOp *op, const IrType *want, const IrType *got)
{
	verifier_error(v, op, "member type mismatch: the member is '%s', but got '%s'",
	               verifier_type(v, want), verifier_type(v, got));
}

void verify_get_member(Verifier *v, const IrOp *op)
{
	const IrType *base = ir_operand(op, 0)->type, *t = op->results[0].type;
	if (base->elem->kind != TYPE_RECORD) {
		verifier_error(v, op, "expected pointer to a record type, but got '%s'",
		               verifier_type(v, base));
		return;
	}
	const IrType *member = find_member(v, op, base->elem);
	if (!member || !verifier_check_storage(v, op, base->elem, "pointee type"))
		return;
	if (t->elem != member)
		report_member(v, op, member, t->elem);
	else if (t->attr != base->attr)
		verifier_error(v, op, "result must be in the address space of the record");
}

static const IrType *find_value_member(Verifier *v, const IrOp *op)
{
	const IrType *record = ir_operand(op, 0)->type;
	if (record->record_kind != RECORD_UNION)
		return find_member(v, op, record);
	verifier_error(v, op, "%s currently does not work on unions", op_info[op->kind].name);
	return NULL;
}

void verify_extract_member(Verifier *v, const IrOp *op)
{
	const IrType *member = find_value_member(v, op);
	if (member && op->results[0].type != member)
		report_member(v, op, member, op->results[0].type);
}

void verify_insert_member(Verifier *v, const IrOp *op)
{
	const IrType *member = find_value_member(v, op);
	if (member && ir_operand(op, 1)->type != member)
		report_member(v, op, member, ir_operand(op, 1)->type);
}

/* Bit-fields */

static bool check_bitfield_range(Verifier *v, const IrOp *op, const IrAttr *info, const IrType *storage)
{
	uint64_t size, offset, bits = ir_is_int(storage) ? storage->width : storage->count * 8;
	if (ir_attr_get_u64(info->elems[BITFIELD_INFO_SIZE], &size) &&
	    ir_attr_get_u64(info->elems[BITFIELD_INFO_OFFSET], &offset) && size > 0 && size <= bits &&
	    offset <= bits - size)
		return true;
	verifier_error(v, op, "the bit-field must be of at least one bit and inside its storage, '%s'",
	               verifier_type(v, storage));
	return false;
}

static bool is_bitfield_value(const IrType *t)
{
	return ir_is_int(t) || t->kind == TYPE_BOOL;
}

void verify_bitfield(Verifier *v, const IrOp *op)
{
	const IrAttr *info = ir_op_attr(op, NAME_bitfield_info);
	if (info->kind != ATTR_PARAMS || info->row != ATTR_ROW_BITFIELD_INFO) {
		verifier_error(v, op,
		               "attribute 'bitfield_info' failed to satisfy constraint: #cir.bitfield_info");
		return;
	}
	const IrType *storage = info->elems[BITFIELD_INFO_STORAGE_TYPE]->type;
	const IrType *at = ir_operand(op, 0)->type->elem, *t = op->results[0].type;
	if (!ir_is_bitfield_storage(storage))
		verifier_error(v, op, "storage type must be an integer type or bytes, but got '%s'",
		               verifier_type(v, storage));
	else if (at != storage)
		verifier_error(v, op, "operand #0 must point to the storage type '%s', but got '%s'",
		               verifier_type(v, storage), verifier_type(v, at));
	else if (!check_bitfield_range(v, op, info, storage))
		return;
	else if (!is_bitfield_value(t))
		verifier_error(v, op, "result #0 must be an integer or !cir.bool, but got '%s'",
		               verifier_type(v, t));
	else if (op->kind == OP_SET_BITFIELD && ir_operand(op, 1)->type != t)
		verifier_error(v, op, "requires the same type for the value and the result");
	else
		verifier_check_align(v, op, NAME_alignment);
}

/* Base and derived classes */

void verify_class_addr(Verifier *v, const IrOp *op)
{
	const IrType *from = ir_operand(op, 0)->type, *to = op->results[0].type;
	uint64_t offset;
	if (from->elem->kind != TYPE_RECORD || to->elem->kind != TYPE_RECORD)
		verifier_error(
		    v, op, "expected pointer to a record type for operand and result, but got '%s' and '%s'",
		    verifier_type(v, from), verifier_type(v, to));
	else if (from->attr != to->attr)
		verifier_error(v, op, "result must be in the address space of the operand");
	else if (!ir_attr_get_u64(ir_op_attr(op, NAME_offset), &offset))
		verifier_error(v, op, "offset must not be negative");
}
