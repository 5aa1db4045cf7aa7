/* Complex numbers (cir-reference 5.19): { real, imaginary }, both in memory's form. src/call
 * has expanded products and quotients. */
#include "lower/lowerer.h"

void lower_complex_create(Lower *e, const IrOp *op)
{
	LLVMValueRef v =
	    lower_make_complex(e, lower_operand(e, op, 0), lower_operand(e, op, 1), op->results[0].type);
	if (v)
		lower_result(e, op, v);
}

void lower_complex_part(Lower *e, const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type;
	LLVMValueRef v = lower_operand(e, op, 0);
	bool imag = op->kind == OP_COMPLEX_IMAG;
	if (t->kind == TYPE_COMPLEX)
		v = lower_complex_parts(e, v, t, imag);
	else if (imag)
		v = LLVMConstNull(LLVMTypeOf(v));
	lower_result(e, op, v);
}

void lower_complex_part_ptr(Lower *e, const IrOp *op)
{
	LLVMTypeRef type = lower_memory_type(e, ir_operand(op, 0)->type->elem);
	LLVMValueRef indices[2] = {LLVMConstNull(e->i32),
	                           LLVMConstInt(e->i32, op->kind == OP_COMPLEX_IMAG_PTR, false)};
	if (type)
		lower_result(e, op,
		             LLVMBuildInBoundsGEP2(e->b, type, lower_operand(e, op, 0), indices, 2, ""));
}

void lower_complex_binary(Lower *e, const IrOp *op)
{
	IrType *t = op->results[0].type;
	bool add = op->kind == OP_COMPLEX_ADD, is_float = ir_is_float(t->elem);
	LLVMOpcode code = is_float ? (add ? LLVMFAdd : LLVMFSub) : (add ? LLVMAdd : LLVMSub);
	LLVMValueRef parts[2];
	for (unsigned i = 0; i < 2; i++) {
		LLVMValueRef a = lower_complex_parts(e, lower_operand(e, op, 0), t, i);
		LLVMValueRef b = lower_complex_parts(e, lower_operand(e, op, 1), t, i);
		parts[i] = LLVMBuildBinOp(e->b, code, a, b, "");
	}
	lower_result(e, op, lower_make_complex(e, parts[0], parts[1], t));
}

void lower_complex_conj(Lower *e, const IrOp *op)
{
	IrType *t = op->results[0].type;
	LLVMValueRef v = lower_operand(e, op, 0);
	LLVMValueRef re = lower_complex_parts(e, v, t, 0), im = lower_complex_parts(e, v, t, 1);
	im = ir_is_float(t->elem) ? LLVMBuildFNeg(e->b, im, "") : LLVMBuildNeg(e->b, im, "");
	lower_result(e, op, lower_make_complex(e, re, im, t));
}
