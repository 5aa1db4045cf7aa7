/* Functions that LLVM would call for an op and that MinGW's libraries do not have: of C23, roundeven; of the GNU C library, exp10. */
#include "lower/lowerer.h"

static LLVMValueRef call(Lower *e, Intrinsic id, LLVMValueRef x, LLVMValueRef y)
{
	LLVMTypeRef type = LLVMTypeOf(x);
	LLVMValueRef args[2] = {x, y};
	return lower_intrinsic(e, id, &type, 1, args, y ? 2 : 1);
}

/* Exact, whatever rounding the program has set: halves go to the even neighbour. */
static LLVMValueRef round_even(Lower *e, LLVMValueRef x)
{
	LLVMBuilderRef b = e->b;
	LLVMValueRef one = LLVMConstReal(LLVMTypeOf(x), 1), half = LLVMConstReal(LLVMTypeOf(x), 0.5);
	LLVMValueRef whole = call(e, INTRINSIC_TRUNC, x, NULL);
	LLVMValueRef rest = call(e, INTRINSIC_FABS, LLVMBuildFSub(b, x, whole, ""), NULL);
	LLVMValueRef pairs = LLVMBuildFMul(b, whole, half, "");
	LLVMValueRef odd = LLVMBuildFCmp(b, LLVMRealONE, pairs, call(e, INTRINSIC_TRUNC, pairs, NULL), "");
	LLVMValueRef tie = LLVMBuildAnd(b, LLVMBuildFCmp(b, LLVMRealOEQ, rest, half, ""), odd, "");
	LLVMValueRef away = LLVMBuildOr(b, LLVMBuildFCmp(b, LLVMRealOGT, rest, half, ""), tie, "");
	LLVMValueRef next = LLVMBuildFAdd(b, whole, call(e, INTRINSIC_COPYSIGN, one, x), "");
	return call(e, INTRINSIC_COPYSIGN, LLVMBuildSelect(b, away, next, whole, ""), x);
}

bool lower_for_mingw(Lower *e, const IrOp *op)
{
	unsigned width = op->noperands ? ir_float_width(ir_scalar(ir_operand(op, 0)->type)) : 0;
	LLVMValueRef v;
	if (!e->coff || e->microsoft || !width || width > 80)
		return false;
	if (op->kind == OP_EXP10)
		v = call(e, INTRINSIC_POW, LLVMConstReal(lower_type(e, op->results[0].type), 10),
		         lower_operand(e, op, 0));
	else if (op->kind == OP_ROUNDEVEN)
		v = round_even(e, lower_operand(e, op, 0));
	else
		return false;
	lower_result(e, op, v);
	return true;
}
