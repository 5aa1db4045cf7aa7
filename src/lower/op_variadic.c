/* Lists of variadic arguments (cir-reference 5.16); cir.va_arg is gone by now. */
#include "lower/lowerer.h"

static void call(Lower *e, Intrinsic id, const IrOp *op)
{
	LLVMValueRef args[2];
	for (uint32_t i = 0; i < op->noperands; i++)
		args[i] = lower_operand(e, op, i);
	LLVMTypeRef type = LLVMTypeOf(args[0]);
	lower_intrinsic(e, id, &type, 1, args, op->noperands);
}

void lower_va_start(Lower *e, const IrOp *op)
{
	call(e, INTRINSIC_VA_START, op);
}

void lower_va_end(Lower *e, const IrOp *op)
{
	call(e, INTRINSIC_VA_END, op);
}

/* LLVM names the destination first. */
void lower_va_copy(Lower *e, const IrOp *op)
{
	LLVMValueRef args[] = {lower_operand(e, op, 1), lower_operand(e, op, 0)};
	LLVMTypeRef type = LLVMTypeOf(args[0]);
	lower_intrinsic(e, INTRINSIC_VA_COPY, &type, 1, args, 2);
}
