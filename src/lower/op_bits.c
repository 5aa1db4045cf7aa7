/* Counting and moving bits (cir-reference 5.3), and three-way comparisons (5.2). */
#include "lower/lowerer.h"

static LLVMValueRef call1(Lower *e, Intrinsic id, LLVMValueRef x)
{
	LLVMTypeRef type = LLVMTypeOf(x);
	return lower_intrinsic(e, id, &type, 1, &x, 1);
}

/* llvm.ctlz and llvm.cttz, of a zero too. */
static LLVMValueRef count_zeros(Lower *e, Intrinsic id, LLVMValueRef x)
{
	LLVMTypeRef type = LLVMTypeOf(x);
	LLVMValueRef args[2] = {x, LLVMConstNull(e->i1)};
	return lower_intrinsic(e, id, &type, 1, args, 2);
}

/* ctlz(x ^ (x >> width - 1)) - 1: behind the sign, the bits that equal it. */
void lower_clrsb(Lower *e, const IrOp *op)
{
	LLVMValueRef x = lower_operand(e, op, 0);
	LLVMTypeRef type = LLVMTypeOf(x);
	uint32_t width = ir_scalar(op->results[0].type)->width;
	LLVMValueRef sign = LLVMBuildAShr(e->b, x, lower_splat_int(e, type, width - 1), "");
	LLVMValueRef same = count_zeros(e, INTRINSIC_CTLZ, LLVMBuildXor(e->b, x, sign, ""));
	lower_result(e, op, LLVMBuildSub(e->b, same, lower_splat_int(e, type, 1), ""));
}

/* x == 0 ? 0 : cttz(x) + 1 */
void lower_ffs(Lower *e, const IrOp *op)
{
	LLVMValueRef x = lower_operand(e, op, 0);
	LLVMTypeRef type = LLVMTypeOf(x);
	LLVMValueRef zero = LLVMConstNull(type);
	LLVMValueRef place =
	    LLVMBuildAdd(e->b, count_zeros(e, INTRINSIC_CTTZ, x), lower_splat_int(e, type, 1), "");
	LLVMValueRef none = LLVMBuildICmp(e->b, LLVMIntEQ, x, zero, "");
	lower_result(e, op, LLVMBuildSelect(e->b, none, zero, place, ""));
}

void lower_parity(Lower *e, const IrOp *op)
{
	LLVMValueRef ones = call1(e, INTRINSIC_CTPOP, lower_operand(e, op, 0));
	lower_result(e, op, LLVMBuildAnd(e->b, ones, lower_splat_int(e, LLVMTypeOf(ones), 1), ""));
}

/* Wide integers of an odd width: LLVM 22 divides the count by the width where it no longer can.
 *
 *	n = count % width
 *	left   a << n | b >> 1 >> (width - 1 - n)
 *	right  a << 1 << (width - 1 - n) | b >> n
 */
static LLVMValueRef shift_apart(Lower *e, bool left, LLVMValueRef a, LLVMValueRef b, LLVMValueRef count,
                                uint32_t width)
{
	LLVMTypeRef type = LLVMTypeOf(a);
	LLVMValueRef one = lower_splat_int(e, type, 1);
	LLVMValueRef n = LLVMBuildURem(e->b, count, lower_splat_int(e, type, width), "");
	LLVMValueRef rest = LLVMBuildSub(e->b, lower_splat_int(e, type, width - 1), n, "");
	LLVMValueRef high = left ? LLVMBuildShl(e->b, a, n, "")
	                         : LLVMBuildShl(e->b, LLVMBuildShl(e->b, a, one, ""), rest, "");
	LLVMValueRef low = left ? LLVMBuildLShr(e->b, LLVMBuildLShr(e->b, b, one, ""), rest, "")
	                        : LLVMBuildLShr(e->b, b, n, "");
	return LLVMBuildOr(e->b, high, low, "");
}

/* The bits of a and b in a row, shifted by count modulo the width. */
static LLVMValueRef funnel(Lower *e, const IrOp *op, bool left, LLVMValueRef a, LLVMValueRef b,
                           LLVMValueRef count)
{
	enum { DIVIDED_MAX = 128 }; /* the widest division with a function of the runtime */
	uint32_t width = ir_scalar(op->results[0].type)->width;
	if (width > DIVIDED_MAX && (width & (width - 1)) != 0)
		return shift_apart(e, left, a, b, count, width);
	LLVMValueRef args[3] = {a, b, count};
	LLVMTypeRef type = LLVMTypeOf(a);
	return lower_intrinsic(e, left ? INTRINSIC_FSHL : INTRINSIC_FSHR, &type, 1, args, 3);
}

void lower_funnel_shift(Lower *e, const IrOp *op)
{
	lower_result(e, op,
	             funnel(e, op, op->kind == OP_FSHL, lower_operand(e, op, 0), lower_operand(e, op, 1),
	                    lower_operand(e, op, 2)));
}

void lower_rotate(Lower *e, const IrOp *op)
{
	LLVMValueRef x = lower_operand(e, op, 0);
	bool left = ir_op_enum(op, NAME_kind, SHIFT_LEFT) == SHIFT_LEFT;
	lower_result(e, op, funnel(e, op, left, x, x, lower_operand(e, op, 1)));
}

/* Three-way comparisons */

typedef struct Ordering {
	LLVMValueRef lt, eq, gt, unordered; /* the results */
} Ordering;

static LLVMValueRef ordering_value(const IrOp *op, unsigned param, LLVMTypeRef type)
{
	const IrAttr *a = ir_op_attr(op, NAME_info)->elems[param];
	int64_t v = 0;
	if (a)
		CHECK(ir_attr_get_i64(a, &v));
	return lower_int(type, (uint64_t)v);
}

static LLVMValueRef order_floats(Lower *e, const Ordering *o, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef v =
	    LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, LLVMRealOEQ, a, b, ""), o->eq, o->unordered, "");
	v = LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, LLVMRealOGT, a, b, ""), o->gt, v, "");
	return LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, LLVMRealOLT, a, b, ""), o->lt, v, "");
}

static LLVMValueRef order_ints(Lower *e, const Ordering *o, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
	LLVMIntPredicate less = is_signed ? LLVMIntSLT : LLVMIntULT;
	LLVMValueRef v = LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, a, b, ""), o->eq, o->gt, "");
	return LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, less, a, b, ""), o->lt, v, "");
}

void lower_cmp3way(Lower *e, const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type;
	LLVMTypeRef type = lower_type(e, op->results[0].type);
	LLVMValueRef a = lower_operand(e, op, 0), b = lower_operand(e, op, 1);
	if (!type)
		return;
	Ordering o = {.lt = ordering_value(op, CMP3WAY_INFO_LT, type),
	              .eq = ordering_value(op, CMP3WAY_INFO_EQ, type),
	              .gt = ordering_value(op, CMP3WAY_INFO_GT, type),
	              .unordered = ordering_value(op, CMP3WAY_INFO_UNORDERED, type)};
	lower_result(e, op,
	             ir_is_float(t) ? order_floats(e, &o, a, b) : order_ints(e, &o, t->is_signed, a, b));
}
