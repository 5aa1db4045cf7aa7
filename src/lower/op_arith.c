/* Arithmetic (cir-reference 5.2). The builder folds constants, so that what it gives is
 * not always an instruction. */
#include "lower/lowerer.h"

static bool is_signed(const IrType *t)
{
	return ir_scalar(t)->is_signed;
}

static LLVMOpcode opcode(OpKind kind, bool sign)
{
	switch (kind) {
	case OP_ADD:
	case OP_INC:
		return LLVMAdd;
	case OP_SUB:
	case OP_DEC:
		return LLVMSub;
	case OP_MUL:
		return LLVMMul;
	case OP_DIV:
		return sign ? LLVMSDiv : LLVMUDiv;
	case OP_REM:
		return sign ? LLVMSRem : LLVMURem;
	case OP_AND:
		return LLVMAnd;
	case OP_OR:
		return LLVMOr;
	case OP_XOR:
		return LLVMXor;
	case OP_FADD:
		return LLVMFAdd;
	case OP_FSUB:
		return LLVMFSub;
	case OP_FMUL:
		return LLVMFMul;
	case OP_FDIV:
		return LLVMFDiv;
	default:
		CHECK(kind == OP_FREM || kind == OP_FMOD);
		return LLVMFRem;
	}
}

static LLVMValueRef with_flags(LLVMValueRef v, const IrOp *op)
{
	if (LLVMIsABinaryOperator(v)) {
		if (ir_op_has(op, NAME_nsw))
			LLVMSetNSW(v, true);
		if (ir_op_has(op, NAME_nuw))
			LLVMSetNUW(v, true);
	}
	return v;
}

/* Saturates at the ends of the type's range. */
static LLVMValueRef saturating(Lower *e, const IrOp *op, LLVMValueRef *args)
{
	bool sign = is_signed(op->results[0].type);
	LLVMTypeRef type = LLVMTypeOf(args[0]);
	Intrinsic id = op->kind == OP_ADD ? (sign ? INTRINSIC_SADD_SAT : INTRINSIC_UADD_SAT)
	                                  : (sign ? INTRINSIC_SSUB_SAT : INTRINSIC_USUB_SAT);
	return lower_intrinsic(e, id, &type, 1, args, 2);
}

void lower_binary(Lower *e, const IrOp *op)
{
	LLVMValueRef args[2] = {lower_operand(e, op, 0), lower_operand(e, op, 1)};
	LLVMOpcode code = opcode(op->kind, is_signed(op->results[0].type));
	if (code == LLVMFRem && !lower_has_function(e, op))
		return;
	if (ir_op_has(op, NAME_sat))
		lower_result(e, op, saturating(e, op, args));
	else
		lower_result(e, op, with_flags(LLVMBuildBinOp(e->b, code, args[0], args[1], ""), op));
}

void lower_min_max(Lower *e, const IrOp *op)
{
	LLVMValueRef args[2] = {lower_operand(e, op, 0), lower_operand(e, op, 1)};
	bool sign = is_signed(op->results[0].type);
	LLVMTypeRef type = LLVMTypeOf(args[0]);
	Intrinsic id = op->kind == OP_MAX ? (sign ? INTRINSIC_SMAX : INTRINSIC_UMAX)
	                                  : (sign ? INTRINSIC_SMIN : INTRINSIC_UMIN);
	lower_result(e, op, lower_intrinsic(e, id, &type, 1, args, 2));
}

void lower_unary(Lower *e, const IrOp *op)
{
	LLVMValueRef x = lower_operand(e, op, 0), v;
	LLVMTypeRef type = LLVMTypeOf(x);
	switch (op->kind) {
	case OP_INC:
	case OP_DEC:
		v = with_flags(
		    LLVMBuildBinOp(e->b, opcode(op->kind, false), x, lower_splat_int(e, type, 1), ""), op);
		break;
	case OP_MINUS:
		v = with_flags(LLVMBuildBinOp(e->b, LLVMSub, LLVMConstNull(type), x, ""), op);
		break;
	case OP_FNEG:
		v = LLVMBuildFNeg(e->b, x, "");
		break;
	default:
		CHECK(op->kind == OP_NOT);
		v = LLVMBuildNot(e->b, x, "");
	}
	lower_result(e, op, v);
}

void lower_shift(Lower *e, const IrOp *op)
{
	const IrType *t = op->results[0].type;
	LLVMValueRef x = lower_operand(e, op, 0);
	LLVMValueRef by = lower_resize(e, lower_operand(e, op, 1), false, LLVMTypeOf(x));
	bool left = ir_op_enum(op, NAME_kind, SHIFT_LEFT) == SHIFT_LEFT;
	LLVMOpcode code = left ? LLVMShl : is_signed(t) ? LLVMAShr : LLVMLShr;
	lower_result(e, op, LLVMBuildBinOp(e->b, code, x, by, ""));
}

LLVMValueRef lower_compare(Lower *e, unsigned kind, const IrType *t, LLVMValueRef a, LLVMValueRef b)
{
	static const LLVMIntPredicate ints[2][CMP_NE + 1] = {
	    {[CMP_LT] = LLVMIntULT,
	     [CMP_LE] = LLVMIntULE,
	     [CMP_GT] = LLVMIntUGT,
	     [CMP_GE] = LLVMIntUGE,
	     [CMP_EQ] = LLVMIntEQ,
	     [CMP_NE] = LLVMIntNE},
	    {[CMP_LT] = LLVMIntSLT,
	     [CMP_LE] = LLVMIntSLE,
	     [CMP_GT] = LLVMIntSGT,
	     [CMP_GE] = LLVMIntSGE,
	     [CMP_EQ] = LLVMIntEQ,
	     [CMP_NE] = LLVMIntNE},
	};
	static const LLVMRealPredicate reals[] = {
	    [CMP_LT] = LLVMRealOLT, [CMP_LE] = LLVMRealOLE, [CMP_GT] = LLVMRealOGT,  [CMP_GE] = LLVMRealOGE,
	    [CMP_EQ] = LLVMRealOEQ, [CMP_NE] = LLVMRealUNE, [CMP_ONE] = LLVMRealONE, [CMP_UNO] = LLVMRealUNO,
	};
	if (ir_is_float(t))
		return LLVMBuildFCmp(e->b, reals[kind], a, b, "");
	return LLVMBuildICmp(e->b, ints[t->is_signed][kind], a, b, "");
}

/* Equal in both parts. */
static LLVMValueRef compare_complex(Lower *e, unsigned kind, const IrType *t, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef parts[2];
	for (unsigned i = 0; i < 2; i++) {
		LLVMValueRef x = lower_complex_parts(e, a, t, i), y = lower_complex_parts(e, b, t, i);
		parts[i] = lower_compare(e, kind, t->elem, x, y);
	}
	return kind == CMP_EQ ? LLVMBuildAnd(e->b, parts[0], parts[1], "")
	                      : LLVMBuildOr(e->b, parts[0], parts[1], "");
}

void lower_cmp(Lower *e, const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type;
	unsigned kind = ir_op_enum(op, NAME_kind, CMP_EQ);
	LLVMValueRef a = lower_operand(e, op, 0), b = lower_operand(e, op, 1);
	if (t->kind == TYPE_METHOD)
		lower_result(e, op, lower_compare_methods(e, a, b, kind == CMP_EQ));
	else if (t->kind == TYPE_COMPLEX)
		lower_result(e, op, compare_complex(e, kind, t, a, b));
	else
		lower_result(e, op, lower_compare(e, kind, t, a, b));
}

void lower_select(Lower *e, const IrOp *op)
{
	LLVMValueRef c = lower_operand(e, op, 0), a = lower_operand(e, op, 1), b = lower_operand(e, op, 2);
	lower_result(e, op, LLVMBuildSelect(e->b, c, a, b, ""));
}

void lower_freeze(Lower *e, const IrOp *op)
{
	lower_result(e, op, LLVMBuildFreeze(e->b, lower_operand(e, op, 0), ""));
}
