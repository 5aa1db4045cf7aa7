/* Bits, the mathematical library and floating point environments (cir-reference 5.2 to 5.4, 3.2). */
#include "verify/verifier.h"

static bool is_one_of(const Name *word, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(word->text, *words) == 0)
			return true;
	return false;
}

void verify_byte_swap(Verifier *v, const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type;
	if (ir_scalar(t)->width % 16)
		verifier_error(v, op, ": expected an integer with an even number of bytes, found '%s'",
		               verifier_type(v, t));
}

/* Three-way comparisons */

static bool fits_result(const IrAttr *a, const IrType *t)
{
	int64_t value;
	if (!a)
		return true;
	if (!ir_attr_get_i64(a, &value))
		return false;
	if (t->width >= 64)
		return t->is_signed || value >= 0;
	int64_t half = INT64_C(1) << (t->width - 1);
	return t->is_signed ? value >= -half && value < half : value >= 0 && value < half * 2;
}

static bool check_ordering(Verifier *v, const IrOp *op, const IrAttr *info)
{
	static const char *const orderings[] = {"strong", "weak", "partial", NULL};
	const Name *ordering = info->elems[CMP3WAY_INFO_ORDERING]->name;
	const IrType *t = ir_operand(op, 0)->type;
	bool partial = strcmp(ordering->text, "partial") == 0;
	if (!is_one_of(ordering, orderings))
		verifier_error(v, op, ": expected the ordering 'strong', 'weak' or 'partial', found '%s'",
		               ordering->text);
	else if (partial != (info->elems[CMP3WAY_INFO_UNORDERED] != NULL))
		verifier_error(v, op,
		               ": 'unordered' must have a value for a partial ordering, and for no other");
	else if (partial != ir_is_float(t))
		verifier_error(v, op, ": %s ordering does not apply to operands of type '%s'",
		               partial ? "a partial" : "a total", verifier_type(v, t));
	else
		return true;
	return false;
}

void verify_cmp3way(Verifier *v, const IrOp *op)
{
	const IrAttr *info = ir_op_attr(op, NAME_info);
	const IrType *t = op->results[0].type;
	if (info->kind != ATTR_PARAMS || info->row != ATTR_ROW_CMP3WAY_INFO) {
		verifier_error(v, op, ": expected attribute 'info' to be #cir.cmp3way_info<…>");
		return;
	}
	if (!check_ordering(v, op, info))
		return;
	for (unsigned i = CMP3WAY_INFO_LT; i <= CMP3WAY_INFO_UNORDERED; i++) {
		if (fits_result(info->elems[i], t))
			continue;
		verifier_error(v, op, ": the value of '%s' does not fit the result type '%s'",
		               ir_attr_row_info[ATTR_ROW_CMP3WAY_INFO].params[i].key, verifier_type(v, t));
		return;
	}
}

/* The mathematical library */

/* LLVM calls functions of C, which return `long`, of 32 bits on Windows, or `long long`. */
void verify_round_to_int(Verifier *v, const IrOp *op)
{
	const IrType *t = op->results[0].type;
	bool any = op->kind == OP_LRINT || op->kind == OP_LROUND;
	if (t->bitint || (t->width != 64 && !(any && t->width == 32)))
		verifier_error(v, op, ": expected result #0 to be an integer of %s64 bits, found '%s'",
		               any ? "32 or " : "", verifier_type(v, t));
}

void verify_frexp(Verifier *v, const IrOp *op)
{
	const IrType *t = op->results[1].type;
	if (t->bitint || t->width != 32)
		verifier_error(v, op, ": expected result #1 to be an integer of 32 bits, found '%s'",
		               verifier_type(v, t));
}

void verify_is_fp_class(Verifier *v, const IrOp *op)
{
	enum { ALL_CLASSES = 1023 };
	const IrAttr *flags = ir_op_attr(op, NAME_flags);
	uint64_t bits;
	if (!flags || flags->kind != ATTR_INT)
		verifier_error(v, op, "requires an integer attribute 'flags'");
	else if (!ir_attr_get_u64(flags, &bits) || bits > ALL_CLASSES)
		verifier_error(v, op, ": attribute 'flags' must be a sum of classes, from 0 to %d",
		               ALL_CLASSES);
}

/* Environments */

static bool check_word(Verifier *v, const IrOp *op, const IrAttr *fenv, unsigned param,
                       const char *const *words)
{
	const IrAttr *a = fenv->elems[param];
	if (!a || is_one_of(a->name, words))
		return true;
	verifier_error(v, op, ": '%s' is not a value of '%s'", a->name->text,
	               ir_attr_row_info[ATTR_ROW_FENV].params[param].key);
	return false;
}

static bool has_floats(const IrType *t)
{
	const IrType *s = ir_scalar(t);
	return ir_is_float(s->kind == TYPE_COMPLEX ? s->elem : s);
}

/* Casts and comparisons are of other types, too, which have no environment. */
static bool is_in_environment(const IrOp *op)
{
	if (op->kind != OP_CAST && op->kind != OP_CMP && op->kind != OP_VEC_CMP)
		return true;
	if (op->kind == OP_CAST && ir_op_enum(op, NAME_kind, CAST_BITCAST) == CAST_BITCAST)
		return false;
	return has_floats(ir_operand(op, 0)->type) || has_floats(op->results[0].type);
}

void verifier_check_fenv(Verifier *v, const IrOp *op)
{
	static const char *const roundings[] = {"tonearest",  "tonearestaway", "downward", "upward",
	                                        "upwardzero", "towardzero",    "unknown",  NULL};
	static const char *const modes[] = {"unknown", "masked", "unmasked", NULL};
	const IrAttr *fenv = ir_op_attr(op, NAME_fenv);
	if (!(op_info[op->kind].flags & OPF_FENV))
		verifier_error(v, op, "cannot have a floating point environment ('fenv')");
	else if (!is_in_environment(op))
		verifier_error(v, op,
		               ": 'fenv' applies only to casts and comparisons of floating point values");
	else if (fenv->kind != ATTR_PARAMS || fenv->row != ATTR_ROW_FENV)
		verifier_error(v, op, ": expected attribute 'fenv' to be #cir.fenv<…>");
	else if (check_word(v, op, fenv, FENV_ROUNDING, roundings))
		check_word(v, op, fenv, FENV_EXCEPT, modes);
	const IrAttr *signaling = ir_op_attr(op, NAME_signaling);
	if (signaling && signaling->kind != ATTR_FLAG)
		verifier_error(v, op, ": attribute 'signaling' must be true or false");
}
