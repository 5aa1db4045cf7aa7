/* Virtual tables, and assumptions (cir-reference 5.6 and 5.18). */
#include "verify/verifier.h"

/* A table is a record with one array of pointers for each of its groups; the point may
 * be one behind the last slot. */
void verify_vtable_address_point(Verifier *v, const IrOp *op)
{
	const Name *name = ir_op_symbol(op, NAME_name);
	const IrAttr *point = ir_op_attr(op, NAME_address_point);
	uint64_t index = 0, offset = 0;
	if (!verifier_check_symbol(v, op, name, false))
		return;
	const IrType *t = ir_symbol_type(ir_symbol(name));
	if (!point || point->kind != ATTR_PARAMS || point->row != ATTR_ROW_ADDRESS_POINT ||
	    !ir_attr_get_u64(point->elems[ADDRESS_POINT_INDEX], &index) ||
	    !ir_attr_get_u64(point->elems[ADDRESS_POINT_OFFSET], &offset))
		verifier_error(v, op,
		               "requires attribute 'address_point', whose index and offset are not negative");
	else if (t->kind != TYPE_RECORD || t->record_kind == RECORD_UNION || !verifier_type_fits(v, t))
		verifier_error(v, op,
		               ": expected global '@%s' to be a record with one array for each virtual "
		               "table, found '%s'",
		               name->text, verifier_type(v, t));
	else if (index >= t->nmembers || t->members[index]->kind != TYPE_ARRAY ||
	         offset > t->members[index]->count)
		verifier_error(v, op, ": the address point is outside of '@%s', which is '%s'", name->text,
		               verifier_type(v, t));
	else if (op->results[0].type->kind != TYPE_VPTR && !ir_is_ptr(op->results[0].type))
		verifier_error(v, op, ": expected the result to be !cir.vptr, found '%s'",
		               verifier_type(v, op->results[0].type));
}

void verify_vtable_get_vptr(Verifier *v, const IrOp *op)
{
	const IrType *t = op->results[0].type;
	if (t->elem->kind != TYPE_VPTR)
		verifier_error(v, op, ": expected the result to be !cir.ptr<!cir.vptr>, found '%s'",
		               verifier_type(v, t));
}

/* The array may be declared alone. */
static void check_vtt(Verifier *v, const IrOp *op, const Name *name)
{
	const IrType *t = ir_symbol_type(ir_symbol(name));
	if (t->kind != TYPE_ARRAY && ir_op_has(ir_symbol(name), NAME_initial_value))
		verifier_error(
		    v, op, ": expected global '@%s' to be an array of pointers to virtual tables, found '%s'",
		    name->text, verifier_type(v, t));
}

void verify_vtt_address_point(Verifier *v, const IrOp *op)
{
	const Name *name = ir_op_symbol(op, NAME_name);
	uint64_t offset;
	if ((name != NULL) == (op->noperands > 0))
		verifier_error(v, op,
		               "needs exactly one of a symbol and a pointer into a table of virtual tables");
	else if (!ir_attr_get_u64(ir_op_attr(op, NAME_offset), &offset) || offset > UINT32_MAX)
		verifier_error(v, op, ": the offset must be a number of slots, at most 4294967295");
	else if (name && verifier_check_symbol(v, op, name, false))
		check_vtt(v, op, name);
}

static const char *bundle_operands(unsigned bundle)
{
	static const char *const text[] = {
	    [ASSUME_BUNDLE_ALIGN] = "a pointer and an alignment",
	    [ASSUME_BUNDLE_SEPARATE_STORAGE] = "two pointers",
	    [ASSUME_BUNDLE_DEREFERENCEABLE] = "a pointer and a number of bytes",
	};
	return text[bundle];
}

void verify_assume(Verifier *v, const IrOp *op)
{
	const IrAttr *bundle = ir_op_attr(op, NAME_bundle);
	if (!bundle) {
		if (op->noperands != 1)
			verifier_error(v, op, "has operands for a bundle, but no bundle");
		return;
	}
	unsigned kind = ir_op_enum(op, NAME_bundle, ASSUME_BUNDLE_ALIGN);
	uint32_t most = kind == ASSUME_BUNDLE_ALIGN ? 4 : 3;
	bool fits = op->noperands >= 3 && op->noperands <= most && ir_is_ptr(ir_operand(op, 1)->type);
	for (uint32_t i = 2; i < op->noperands && fits; i++) {
		const IrType *t = ir_operand(op, i)->type;
		fits = kind == ASSUME_BUNDLE_SEPARATE_STORAGE ? ir_is_ptr(t) : ir_is_int(t) && t->width <= 64;
	}
	if (!fits)
		verifier_error(v, op, ": bundle '%s' takes %s", ir_enum_info[ENUM_ASSUME_BUNDLE].words[kind],
		               bundle_operands(kind));
}
