/* Vectors and complex numbers (cir-reference 5.19). */
#include "verify/verifier.h"

/* Vectors */

static const char *spell(const Verifier *v, const IrType *t)
{
	return verifier_type(v, t);
}

static bool same_count(Verifier *v, const IrOp *op, const IrType *a, const IrType *b)
{
	if (a->count == b->count)
		return true;
	verifier_error(v, op, ": '%s' and '%s' differ in their number of elements", spell(v, a), spell(v, b));
	return false;
}

static bool same_element(Verifier *v, const IrOp *op, const IrType *a, const IrType *b)
{
	if (a->elem == b->elem)
		return true;
	verifier_error(v, op, ": '%s' and '%s' differ in their element type", spell(v, a), spell(v, b));
	return false;
}

void verify_vec_create(Verifier *v, const IrOp *op)
{
	const IrType *t = op->results[0].type;
	if (op->noperands != t->count) {
		verifier_error(v, op, "has %u operands, but the result '%s' has %llu elements", op->noperands,
		               spell(v, t), (unsigned long long)t->count);
		return;
	}
	for (uint32_t i = 0; i < op->noperands; i++) {
		if (ir_operand(op, i)->type == t->elem)
			continue;
		verifier_error(v, op, ": an operand has type '%s', but the element type is '%s'",
		               spell(v, ir_operand(op, i)->type), spell(v, t->elem));
		return;
	}
}

/* The result is as wide as C has it, or what selects at once: booleans. */
void verify_vec_cmp(Verifier *v, const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type, *r = op->results[0].type;
	unsigned kind = ir_op_enum(op, NAME_kind, CMP_EQ);
	if (!same_count(v, op, t, r))
		return;
	if (!ir_is_int(r->elem) && r->elem->kind != TYPE_BOOL)
		verifier_error(v, op,
		               ": expected result #0 to be a vector of integers or booleans, found '%s'",
		               spell(v, r));
	else if ((kind == CMP_ONE || kind == CMP_UNO) && !ir_is_float(t->elem))
		verifier_error(v, op, ": kind '%s' applies to floating point values only, found '%s'",
		               ir_enum_info[ENUM_CMP].words[kind], spell(v, t));
}

static bool is_float_reduction(unsigned kind)
{
	return kind >= REDUCTION_FADD;
}

void verify_vec_reduce(Verifier *v, const IrOp *op)
{
	const IrType *elem = ir_operand(op, 0)->type->elem;
	unsigned kind = ir_op_enum(op, NAME_kind, REDUCTION_ADD);
	bool logical = kind == REDUCTION_AND || kind == REDUCTION_OR || kind == REDUCTION_XOR;
	bool fits = is_float_reduction(kind) ? ir_is_float(elem)
	                                     : ir_is_int(elem) || (logical && elem->kind == TYPE_BOOL);
	if (!fits)
		verifier_error(v, op, ": kind '%s' does not apply to '%s'",
		               ir_enum_info[ENUM_REDUCTION].words[kind], spell(v, ir_operand(op, 0)->type));
	else if (op->noperands > 1 && kind != REDUCTION_FADD && kind != REDUCTION_FMUL)
		verifier_error(v, op, ": kind '%s' takes no start value",
		               ir_enum_info[ENUM_REDUCTION].words[kind]);
}

static bool check_indices(Verifier *v, const IrOp *op, const IrAttr *indices, uint64_t count)
{
	for (uint32_t i = 0; i < indices->n; i++) {
		int64_t index;
		if (indices->elems[i]->kind != ATTR_INT)
			verifier_error(v, op, ": all indices must be integers");
		else if (!ir_attr_get_i64(indices->elems[i], &index) || index < -1 ||
		         (index >= 0 && (uint64_t)index >= 2 * count))
			verifier_error(v, op, ": index #%u must be from -1 to %llu", i,
			               (unsigned long long)(2 * count - 1));
		else
			continue;
		return false;
	}
	return true;
}

void verify_vec_shuffle(Verifier *v, const IrOp *op)
{
	const IrAttr *indices = ir_op_attr(op, NAME_indices);
	const IrType *t = ir_operand(op, 0)->type, *r = op->results[0].type;
	if (indices->kind != ATTR_ARRAY)
		verifier_error(v, op, ": attribute 'indices' must be an array of integers");
	else if (indices->n != r->count)
		verifier_error(
		    v, op,
		    ": the number of indices is %u, which is not that of the elements of the result, '%s'",
		    indices->n, spell(v, r));
	else if (same_element(v, op, t, r))
		check_indices(v, op, indices, t->count);
}

void verify_vec_shuffle_dynamic(Verifier *v, const IrOp *op)
{
	same_count(v, op, ir_operand(op, 0)->type, ir_operand(op, 1)->type);
}

static bool check_mask(Verifier *v, const IrOp *op, uint32_t i)
{
	const IrType *t = ir_operand(op, i)->type;
	if (ir_is_int(t->elem) || t->elem->kind == TYPE_BOOL)
		return true;
	verifier_error(v, op, ": expected operand #%u to be a vector of integers or booleans, found '%s'", i,
	               spell(v, t));
	return false;
}

void verify_vec_ternary(Verifier *v, const IrOp *op)
{
	if (check_mask(v, op, 0))
		same_count(v, op, ir_operand(op, 0)->type, ir_operand(op, 1)->type);
}

void verify_vec_splat(Verifier *v, const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type, *r = op->results[0].type;
	if (t != r->elem)
		verifier_error(v, op, ": the value must have the element type of the result");
}

/* LLVM packs booleans in memory, where CIR has bytes. */
void verify_vec_masked_load(Verifier *v, const IrOp *op)
{
	const IrType *p = ir_operand(op, 0)->type, *mask = ir_operand(op, 1)->type, *t = op->results[0].type;
	if (!check_mask(v, op, 1) || !same_count(v, op, mask, t) ||
	    !verifier_check_align(v, op, NAME_alignment))
		return;
	if (!ir_is_int(t->elem) && !ir_is_float(t->elem) && !ir_is_ptr(t->elem))
		verifier_error(v, op,
		               ": expected result #0 to be a vector of numbers or pointers, found '%s'",
		               spell(v, t));
	else if (p->elem != t && p->elem != t->elem)
		verifier_error(v, op, ": expected operand #0 to point to '%s' or to its elements, found '%s'",
		               spell(v, t), spell(v, p));
}

/* Complex numbers */

void verify_complex_create(Verifier *v, const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type, *r = op->results[0].type;
	if (r->elem != t)
		verifier_error(v, op,
		               ": the operands have type '%s', but the element type of the result is '%s'",
		               spell(v, t), spell(v, r->elem));
}

/* A number is its own real part. */
void verify_complex_part(Verifier *v, const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type, *r = op->results[0].type;
	if (t->kind != TYPE_COMPLEX && !ir_is_int(t) && !ir_is_float(t) && t->kind != TYPE_BOOL)
		verifier_error(v, op, ": expected operand #0 to be a number or a complex number, found '%s'",
		               spell(v, t));
	else if (r != (t->kind == TYPE_COMPLEX ? t->elem : t))
		verifier_error(v, op, ": the result type '%s' does not match the operand type '%s'",
		               spell(v, r), spell(v, t));
}

void verify_complex_part_ptr(Verifier *v, const IrOp *op)
{
	const IrType *p = ir_operand(op, 0)->type, *r = op->results[0].type;
	if (p->elem->kind != TYPE_COMPLEX)
		verifier_error(v, op, ": expected operand #0 to point to a complex number, found '%s'",
		               spell(v, p));
	else if (r->elem != p->elem->elem || r->attr != p->attr)
		verifier_error(v, op, ": the result type '%s' does not match the operand type '%s'",
		               spell(v, r), spell(v, p));
}

void verify_complex_range(Verifier *v, const IrOp *op)
{
	const IrType *t = op->results[0].type;
	if (!ir_is_int(t->elem) && !ir_is_float(t->elem))
		verifier_error(v, op, ": expected operand #0 to be a complex number, found '%s'",
		               spell(v, t));
}
