/* Constants, casts and arithmetic (cir-reference 5.1 and 5.2). */
#include "verify/verifier.h"

void verify_const(Verifier *v, const IrOp *op)
{
	verifier_check_constant(v, op, ir_op_attr(op, NAME_value));
}

/* Casts: the kinds from which to which */

typedef enum CastEnd {
	END_INT,
	END_FP,
	END_BOOL,
	END_PTR,
	END_MEMBER, /* a pointer to a data member or a member function */
	END_INT_COMPLEX,
	END_FP_COMPLEX,
} CastEnd;

static const char *const end_text[] = {
    [END_INT] = "an integer",
    [END_FP] = "a floating point type",
    [END_BOOL] = "!cir.bool",
    [END_PTR] = "a pointer",
    [END_MEMBER] = "a pointer to member",
    [END_INT_COMPLEX] = "a complex of integers",
    [END_FP_COMPLEX] = "a complex of floating point",
};

static bool end_holds(CastEnd end, const IrType *t)
{
	switch (end) {
	case END_INT:
		return ir_is_int(t);
	case END_FP:
		return ir_is_float(t);
	case END_BOOL:
		return t->kind == TYPE_BOOL;
	case END_PTR:
		return ir_is_ptr(t);
	case END_MEMBER:
		return t->kind == TYPE_DATA_MEMBER || t->kind == TYPE_METHOD;
	case END_INT_COMPLEX:
		return t->kind == TYPE_COMPLEX && ir_is_int(t->elem);
	case END_FP_COMPLEX:
		return t->kind == TYPE_COMPLEX && ir_is_float(t->elem);
	}
	return false;
}

typedef struct CastRule {
	CastEnd from, to;
	bool lanes; /* also lane by lane */
	bool part;  /* the scalar on one side is the part of the complex on the other */
} CastRule;

/* Kinds with a rule of their own are not here: bitcast, array_to_ptrdecay, address_space. */
static const CastRule cast_rules[] = {
    [CAST_INT_TO_BOOL] = {END_INT, END_BOOL, true, false},
    [CAST_INTEGRAL] = {END_INT, END_INT, true, false},
    [CAST_FLOATING] = {END_FP, END_FP, true, false},
    [CAST_FLOAT_TO_INT] = {END_FP, END_INT, true, false},
    [CAST_FLOAT_TO_BOOL] = {END_FP, END_BOOL, true, false},
    [CAST_INT_TO_FLOAT] = {END_INT, END_FP, true, false},
    [CAST_BOOL_TO_INT] = {END_BOOL, END_INT, true, false},
    [CAST_BOOL_TO_FLOAT] = {END_BOOL, END_FP, true, false},
    [CAST_INT_TO_PTR] = {END_INT, END_PTR, false, false},
    [CAST_PTR_TO_INT] = {END_PTR, END_INT, false, false},
    [CAST_PTR_TO_BOOL] = {END_PTR, END_BOOL, false, false},
    [CAST_MEMBER_PTR_TO_BOOL] = {END_MEMBER, END_BOOL, false, false},
    [CAST_FLOAT_TO_COMPLEX] = {END_FP, END_FP_COMPLEX, false, true},
    [CAST_INT_TO_COMPLEX] = {END_INT, END_INT_COMPLEX, false, true},
    [CAST_FLOAT_COMPLEX_TO_REAL] = {END_FP_COMPLEX, END_FP, false, true},
    [CAST_INT_COMPLEX_TO_REAL] = {END_INT_COMPLEX, END_INT, false, true},
    [CAST_FLOAT_COMPLEX_TO_BOOL] = {END_FP_COMPLEX, END_BOOL, false, false},
    [CAST_INT_COMPLEX_TO_BOOL] = {END_INT_COMPLEX, END_BOOL, false, false},
    [CAST_FLOAT_COMPLEX] = {END_FP_COMPLEX, END_FP_COMPLEX, false, false},
    [CAST_INT_COMPLEX] = {END_INT_COMPLEX, END_INT_COMPLEX, false, false},
    [CAST_FLOAT_COMPLEX_TO_INT_COMPLEX] = {END_FP_COMPLEX, END_INT_COMPLEX, false, false},
    [CAST_INT_COMPLEX_TO_FLOAT_COMPLEX] = {END_INT_COMPLEX, END_FP_COMPLEX, false, false},
};

static void check_cast_rule(Verifier *v, const IrOp *op, const CastRule *rule, const IrType *from,
                            const IrType *to)
{
	bool lanes = rule->lanes && from->kind == TYPE_VECTOR && to->kind == TYPE_VECTOR;
	bool from_fits = end_holds(rule->from, lanes ? from->elem : from);
	bool to_fits = end_holds(rule->to, lanes ? to->elem : to);
	if (rule->from == rule->to && rule->from == END_FP && !(from_fits && to_fits))
		verifier_error(v, op, ": source and result must be of floating point type");
	else if (!from_fits)
		verifier_error(v, op, ": the source must be %s", end_text[rule->from]);
	else if (!to_fits)
		verifier_error(v, op, ": the result must be %s", end_text[rule->to]);
	else if (lanes && from->count != to->count)
		verifier_error(v, op, ": source and result must be vectors of the same length");
	else if (rule->part && (from->kind == TYPE_COMPLEX ? from->elem != to : to->elem != from))
		verifier_error(v, op, ": the scalar must have the element type of the complex");
}

/* Width in bits of what LLVM's bitcast takes; 0 for other types. */
static uint64_t bitcast_width(const IrType *t)
{
	switch (t->kind) {
	case TYPE_INT:
		return t->width;
	case TYPE_VECTOR:
		return t->elem->kind == TYPE_BOOL ? t->count : t->count * bitcast_width(t->elem);
	default:
		return ir_float_width(t);
	}
}

static bool is_address(const IrType *t)
{
	return ir_is_ptr(t) || t->kind == TYPE_VPTR;
}

static const IrAttr *address_space(const IrType *t)
{
	return ir_is_ptr(t) ? t->attr : NULL;
}

static void check_bitcast(Verifier *v, const IrOp *op, const IrType *from, const IrType *to)
{
	if (is_address(from) && is_address(to)) {
		if (address_space(from) != address_space(to))
			verifier_error(v, op, ": source and result must be in the same address space");
		return;
	}
	if (from->kind == to->kind && (from->kind == TYPE_DATA_MEMBER || from->kind == TYPE_METHOD))
		return; /* reinterpret_cast */
	uint64_t width = bitcast_width(from);
	if (!width || !bitcast_width(to))
		verifier_error(v, op, ": source and result must be pointers or vectors");
	else if (width != bitcast_width(to))
		verifier_error(v, op, ": source and result must have the same size, found %llu and %llu bits",
		               (unsigned long long)width, (unsigned long long)bitcast_width(to));
}

/* The array is behind a pointer to void in the functions that clang makes to destroy global ones. */
static void check_decay(Verifier *v, const IrOp *op, const IrType *from, const IrType *to)
{
	if (!ir_is_ptr(from) || !ir_is_ptr(to))
		verifier_error(v, op, ": source and result must be pointers");
	else if (from->elem->kind != TYPE_ARRAY && from->elem->kind != TYPE_VOID)
		verifier_error(v, op, ": the source must point to an array");
	else if (from->elem->kind == TYPE_ARRAY && from->elem->elem != to->elem)
		verifier_error(v, op, ": the result must point to the element type of the array");
	else if (from->attr != to->attr)
		verifier_error(v, op, ": source and result must be in the same address space");
}

static void check_address_space(Verifier *v, const IrOp *op, const IrType *from, const IrType *to)
{
	if (!ir_is_ptr(from) || !ir_is_ptr(to))
		verifier_error(v, op, ": source and result must be pointers");
	else if (from->elem != to->elem || from->attr == to->attr)
		verifier_error(v, op,
		               ": source and result must differ in their address space, and in nothing else");
}

void verify_cast(Verifier *v, const IrOp *op)
{
	const IrType *from = ir_operand(op, 0)->type, *to = op->results[0].type;
	unsigned kind = ir_op_enum(op, NAME_kind, CAST_BITCAST);
	switch (kind) {
	case CAST_BITCAST:
		check_bitcast(v, op, from, to);
		break;
	case CAST_ARRAY_TO_PTRDECAY:
		check_decay(v, op, from, to);
		break;
	case CAST_ADDRESS_SPACE:
		check_address_space(v, op, from, to);
		break;
	default:
		CHECK(kind < ARRAY_LEN(cast_rules));
		check_cast_rule(v, op, &cast_rules[kind], from, to);
	}
}

static uint32_t builtin_width(const IrType *t)
{
	return t->kind == TYPE_INDEX ? 64 : t->kind == TYPE_BUILTIN_INT ? t->width : 0;
}

void verify_builtin_int_cast(Verifier *v, const IrOp *op)
{
	const IrType *from = ir_operand(op, 0)->type, *to = op->results[0].type;
	const IrType *own = ir_is_int(from) ? from : to;
	uint32_t width = builtin_width(own == from ? to : from);
	if (!ir_is_int(own) || !width)
		verifier_error(v, op,
		               ": of source and result, one must be a !cir.int and the other a builtin "
		               "integer or index");
	else if (own->width != width && from->kind != TYPE_INDEX && to->kind != TYPE_INDEX)
		verifier_error(v, op, ": source and result must have the same width, found '%s' and '%s'",
		               verifier_type(v, from), verifier_type(v, to));
}

/* Arithmetic */

static void check_signedness(Verifier *v, const IrOp *op)
{
	bool is_signed = ir_scalar(op->results[0].type)->is_signed;
	if (ir_op_has(op, is_signed ? NAME_nuw : NAME_nsw))
		verifier_error(v, op,
		               is_signed ? ": flag 'nuw' needs an unsigned integer type"
		                         : ": flag 'nsw' needs a signed integer type");
}

/* The older spellings take the flags with any kind of operation. */
void verify_overflow_flags(Verifier *v, const IrOp *op)
{
	bool wraps = ir_op_has(op, NAME_nsw) || ir_op_has(op, NAME_nuw), saturates = ir_op_has(op, NAME_sat);
	if (wraps && ir_is_float(ir_scalar(op->results[0].type)))
		verifier_error(v, op, ": flags 'nsw' and 'nuw' apply to integers only");
	else if (wraps && !ir_op_may_wrap(op->kind))
		verifier_error(v, op,
		               ": flags 'nsw' and 'nuw' apply to 'cir.add', 'cir.sub' and 'cir.mul' only");
	else if (saturates && op->kind != OP_ADD && op->kind != OP_SUB)
		verifier_error(v, op, ": flag 'sat' applies to 'cir.add' and 'cir.sub' only");
	else if (wraps && saturates)
		verifier_error(v, op, ": flag 'sat' excludes 'nsw' and 'nuw'");
	else if (wraps)
		check_signedness(v, op);
}

void verify_shift(Verifier *v, const IrOp *op)
{
	const IrType *value = ir_operand(op, 0)->type, *amount = ir_operand(op, 1)->type;
	bool vector = value->kind == TYPE_VECTOR;
	if (vector != (amount->kind == TYPE_VECTOR))
		verifier_error(v, op, ": value and amount must be both scalars or both vectors");
	else if (vector && (value->count != amount->count || value->elem->width != amount->elem->width))
		verifier_error(v, op,
		               ": value and amount must be vectors of the same length and element width, "
		               "found '%s' and '%s'",
		               verifier_type(v, value), verifier_type(v, amount));
}

void verify_cmp(Verifier *v, const IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, CMP_EQ);
	const IrType *t = ir_operand(op, 0)->type;
	bool member = t->kind == TYPE_DATA_MEMBER || t->kind == TYPE_METHOD;
	bool orders = kind != CMP_EQ && kind != CMP_NE;
	if (member && orders)
		verifier_error(v, op, "cannot order pointers to members; use 'eq' or 'ne'");
	else if (t->kind == TYPE_COMPLEX && orders)
		verifier_error(v, op, "cannot order complex numbers; use 'eq' or 'ne'");
	else if ((kind == CMP_ONE || kind == CMP_UNO) && !ir_is_float(t))
		verifier_error(v, op, ": kind '%s' applies to floating point values only, found '%s'",
		               ir_enum_info[ENUM_CMP].words[kind], verifier_type(v, t));
}

void verify_select(Verifier *v, const IrOp *op)
{
	const IrType *cond = ir_operand(op, 0)->type, *t = ir_operand(op, 1)->type;
	if (cond->kind == TYPE_VECTOR && (t->kind != TYPE_VECTOR || t->count != cond->count))
		verifier_error(
		    v, op, ": a vector condition needs vectors of the same length to select from, found '%s'",
		    verifier_type(v, t));
}
