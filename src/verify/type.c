/* Which types may stand where a value, or memory, has one. */
#include "verify/verifier.h"

#include "ir/layout.h"

enum { TYPE_UNKNOWN, TYPE_FITS, TYPE_BAD };

static bool fits(Verifier *v, const IrType *t);

static bool lane_fits(const IrType *t)
{
	return ir_is_int(t) || ir_is_float(t) || ir_is_ptr(t) || t->kind == TYPE_BOOL;
}

/* A member may also be a unit of bit-fields, which no value is. */
static bool member_fits(Verifier *v, const IrType *t)
{
	if (t->kind != TYPE_BITFIELD)
		return fits(v, t);
	return !t->elem || (ir_is_bitfield_storage(t->elem) && fits(v, t->elem));
}

static bool members_fit(Verifier *v, const IrType *t)
{
	for (uint32_t i = 0; i < t->nmembers; i++)
		if (!member_fits(v, t->members[i]))
			return false;
	return !t->padding || fits(v, t->padding);
}

/* The depth is that of a type with a size, which ir/layout limits. */
static bool inside_fits(Verifier *v, const IrType *t)
{
	switch (t->kind) {
	case TYPE_VECTOR:
		return t->count && lane_fits(t->elem);
	case TYPE_COMPLEX:
		return ir_is_int(t->elem) || ir_is_float(t->elem);
	case TYPE_LONG_DOUBLE:
		return ir_is_float(t->elem);
	case TYPE_ARRAY:
		return fits(v, t->elem);
	case TYPE_RECORD:
		return members_fit(v, t);
	default:
		return true;
	}
}

static bool fits(Verifier *v, const IrType *t)
{
	uint8_t *state = &v->type_state[t->id];
	if (*state == TYPE_UNKNOWN)
		*state = type_is_value(t) && ir_type_sized(t) && inside_fits(v, t) ? TYPE_FITS : TYPE_BAD;
	return *state == TYPE_FITS;
}

bool verifier_type_fits(Verifier *v, const IrType *t)
{
	return ir_is_token(t) || fits(v, t);
}

/* Of a type without a size: because there are too many elements or members? */
static bool is_too_large(const IrType *t)
{
	for (;;) {
		const IrType *inside = NULL;
		if (t->kind == TYPE_ARRAY && !ir_type_sized(t->elem))
			inside = t->elem;
		for (uint32_t i = 0; t->kind == TYPE_RECORD && !inside && i < t->nmembers; i++)
			if (!ir_type_sized(t->members[i]) && !ir_is_zero_width(t->members[i]))
				inside = t->members[i];
		if (!inside)
			return t->kind == TYPE_ARRAY || (t->kind == TYPE_RECORD && t->complete);
		t = inside;
	}
}

bool verifier_check_storage(Verifier *v, const IrOp *op, const IrType *t, const char *what)
{
	if (fits(v, t))
		return true;
	if (!ir_type_sized(t) && is_too_large(t))
		verifier_error(v, op, ": %s '%s' is larger than the address space", what,
		               verifier_type(v, t));
	else if (!ir_type_sized(t))
		verifier_error(v, op, ": the size of %s '%s' is not known", what, verifier_type(v, t));
	else
		verifier_error(v, op, ": %s '%s' cannot be in memory", what, verifier_type(v, t));
	return false;
}

bool verifier_check_align(Verifier *v, const IrOp *op, NameId name)
{
	const IrAttr *a = ir_op_attr(op, name);
	if (!a)
		return true;
	uint64_t n;
	if (ir_attr_get_u64(a, &n) && n && (n & (n - 1)) == 0 && n <= UINT64_C(1) << 32)
		return true;
	verifier_error(v, op, ": attribute '%s' must be a power of two from 1 to 4294967296",
	               ir_known_name(v->m, name)->text);
	return false;
}
