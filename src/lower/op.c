#include "lower/lowerer.h"

static LowerFn *const lower_row[OP_COUNT] = {
#define OP(id, name, stages, flags, regions, succs, operands, results, verify, lower, format)                \
	[OP_##id] = lower_##lower,
#include "ir/ops.def"
};

/* The pads of the Microsoft form and terminators have no value that could be too large;
 * constants stay in memory when they are. */
static bool check_results(Lower *e, const IrOp *op)
{
	for (uint32_t i = 0; i < op->nresults; i++)
		if (op->kind != OP_CONST && !lower_check_value(e, op->results[i].type))
			return false;
	return true;
}

static LLVMFastMathFlags fast_math(const IrAttr *a)
{
	static const struct {
		const char *word;
		LLVMFastMathFlags flags;
	} words[] = {
	    {"reassoc", LLVMFastMathAllowReassoc}, {"nnan", LLVMFastMathNoNaNs},
	    {"ninf", LLVMFastMathNoInfs},          {"nsz", LLVMFastMathNoSignedZeros},
	    {"arcp", LLVMFastMathAllowReciprocal}, {"contract", LLVMFastMathAllowContract},
	    {"afn", LLVMFastMathApproxFunc},       {"fast", LLVMFastMathAll},
	};
	const char *list = a && a->kind == ATTR_OPAQUE ? strchr(a->name->text, '<') : NULL;
	LLVMFastMathFlags flags = LLVMFastMathNone;
	for (unsigned i = 0; list && i < ARRAY_LEN(words); i++)
		if (strstr(list, words[i].word))
			flags |= words[i].flags;
	return flags;
}

/* Of the instruction that the op became, if it became one. */
static void set_fast_math(Lower *e, const IrOp *op, LLVMValueRef before)
{
	LLVMFastMathFlags flags =
	    fast_math(ir_op_attr(op, NAME_fastmath_flags)) | fast_math(ir_op_attr(op, NAME_fastmath));
	LLVMValueRef v = LLVMGetLastInstruction(LLVMGetInsertBlock(e->b));
	if (flags && v && v != before && e->values[op->results[0].id] == v && LLVMCanValueUseFastMathFlags(v))
		LLVMSetFastMathFlags(v, flags);
}

static void lower_row_or_constrained(Lower *e, const IrOp *op)
{
	if (ir_op_has(op, NAME_async) && lower_async(e, op))
		return;
	if (!ir_op_has(op, NAME_fenv) || !lower_constrained(e, op))
		lower_row[op->kind](e, op);
}

void lower_op(Lower *e, const IrOp *op)
{
	e->op = op;
	if (!check_results(e, op))
		return;
	if (!op->nattrs) {
		lower_row[op->kind](e, op);
	} else if (op->nresults && (ir_op_has(op, NAME_fastmath_flags) || ir_op_has(op, NAME_fastmath))) {
		LLVMValueRef before = LLVMGetLastInstruction(LLVMGetInsertBlock(e->b));
		lower_row_or_constrained(e, op);
		set_fast_math(e, op, before);
	} else {
		lower_row_or_constrained(e, op);
	}
}

void lower_none(Lower *e, const IrOp *op)
{
	(void)op;
	lower_error(e, "must have been lowered before LLVM IR is built");
}
