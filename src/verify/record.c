/* Records: members, bit-fields, addresses of base classes (cir-reference 5.6). */
#include "verify/verifier.h"

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
		verifier_error(v, op, ": the member index is out of bounds");
		return NULL;
	}
	const IrType *t = member_storage(record->members[index]);
	if (!t)
		verifier_error(v, op, "cannot access a bit-field of width zero");
	if (t && verifier_holds_nothing(v, record, t)) {
		verifier_error(
		    v, op, "accesses '%s' in record '%s', which is empty according to 'cir.record_layouts'",
		    verifier_type(v, t), record->name->text);
		return NULL;
	}
	return t;
}

static void report_member(Verifier *v, const IrOp *op, const IrType *want, const IrType *got)
{
	verifier_error(v, op, ": the member has type '%s'; found '%s'", verifier_type(v, want),
	               verifier_type(v, got));
}

void verify_get_member(Verifier *v, const IrOp *op)
{
	const IrType *base = ir_operand(op, 0)->type, *t = op->results[0].type;
	if (base->elem->kind != TYPE_RECORD) {
		verifier_error(v, op, ": expected a pointer to a record, found '%s'", verifier_type(v, base));
		return;
	}
	const IrType *member = find_member(v, op, base->elem);
	if (!member || !verifier_check_storage(v, op, base->elem, "pointee type"))
		return;
	if (t->elem != member)
		report_member(v, op, member, t->elem);
	else if (t->attr != base->attr)
		verifier_error(v, op, ": the result must be in the address space of the record");
}

static const IrType *find_value_member(Verifier *v, const IrOp *op)
{
	const IrType *record = ir_operand(op, 0)->type;
	if (record->record_kind != RECORD_UNION)
		return find_member(v, op, record);
	verifier_error(v, op, "cannot access a member of a union");
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
	verifier_error(v, op, ": the bit-field must have at least one bit and lie within its storage, '%s'",
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
		verifier_error(v, op, ": expected attribute 'bitfield_info' to be #cir.bitfield_info<…>");
		return;
	}
	const IrType *storage = info->elems[BITFIELD_INFO_STORAGE_TYPE]->type;
	const IrType *at = ir_operand(op, 0)->type->elem, *t = op->results[0].type;
	if (!ir_is_bitfield_storage(storage))
		verifier_error(v, op, ": expected the storage type to be an integer or bytes, found '%s'",
		               verifier_type(v, storage));
	else if (at != storage)
		verifier_error(v, op, ": expected operand #0 to point to the storage type '%s', found '%s'",
		               verifier_type(v, storage), verifier_type(v, at));
	else if (!check_bitfield_range(v, op, info, storage))
		return;
	else if (!is_bitfield_value(t))
		verifier_error(v, op, ": expected result #0 to be an integer or !cir.bool, found '%s'",
		               verifier_type(v, t));
	else if (op->kind == OP_SET_BITFIELD && ir_operand(op, 1)->type != t)
		verifier_error(v, op, ": the value and the result must have the same type");
	else
		verifier_check_align(v, op, NAME_alignment);
}

/* Base and derived classes */

void verify_class_addr(Verifier *v, const IrOp *op)
{
	const IrType *from = ir_operand(op, 0)->type, *to = op->results[0].type;
	uint64_t offset;
	if (from->elem->kind != TYPE_RECORD || to->elem->kind != TYPE_RECORD)
		verifier_error(v, op, ": operand and result must be pointers to records, found '%s' and '%s'",
		               verifier_type(v, from), verifier_type(v, to));
	else if (from->attr != to->attr)
		verifier_error(v, op, ": the result must be in the address space of the operand");
	else if (!ir_attr_get_u64(ir_op_attr(op, NAME_offset), &offset))
		verifier_error(v, op, ": the offset must not be negative");
}
