/* Builtins (cir-reference 5.2 overflow, 5.18). */
#include "lower/lowerer.h"

enum { OVERFLOW_BITS_MAX = 1024 }; /* wider products are beyond LLVM's code generator */

void lower_is_constant(Lower *e, const IrOp *op)
{
	LLVMValueRef v = lower_operand(e, op, 0);
	LLVMTypeRef type = LLVMTypeOf(v);
	lower_result(e, op, lower_intrinsic(e, INTRINSIC_IS_CONSTANT, &type, 1, &v, 1));
}

/* The condition, and what a bundle says of its operands: LLVM wants a bundle on the condition `true`. */
void lower_assume(Lower *e, const IrOp *op)
{
	LLVMValueRef condition = lower_operand(e, op, 0);
	LLVMValueRef always = LLVMConstInt(e->i1, 1, false);
	if (condition != always)
		lower_intrinsic(e, INTRINSIC_ASSUME, NULL, 0, &condition, 1);
	if (op->noperands == 1)
		return;
	const char *tag = ir_enum_info[ENUM_ASSUME_BUNDLE].words[ir_op_enum(op, NAME_bundle, 0)];
	LLVMValueRef args[2] = {lower_operand(e, op, 1), lower_operand(e, op, 2)};
	const IrType *second = ir_operand(op, 2)->type;
	if (ir_is_int(second))
		args[1] = lower_resize(e, args[1], second->is_signed, e->i64);
	lower_assume_bundle(e, always, tag, args, 2);
}

static Intrinsic overflow_intrinsic(OpKind kind, bool is_signed)
{
	switch (kind) {
	case OP_ADD_OVERFLOW:
		return is_signed ? INTRINSIC_SADD_WITH_OVERFLOW : INTRINSIC_UADD_WITH_OVERFLOW;
	case OP_SUB_OVERFLOW:
		return is_signed ? INTRINSIC_SSUB_WITH_OVERFLOW : INTRINSIC_USUB_WITH_OVERFLOW;
	default:
		return is_signed ? INTRINSIC_SMUL_WITH_OVERFLOW : INTRINSIC_UMUL_WITH_OVERFLOW;
	}
}

/* Computed in a type that holds every value of both the operands' and the result's; it overflows if that does, or if the
 * result, cut to its own type, is another number. */
void lower_overflow(Lower *e, const IrOp *op)
{
	const IrType *from = ir_operand(op, 0)->type, *to = op->results[0].type;
	bool is_signed = from->is_signed || to->is_signed;
	uint32_t from_bits = from->width + (is_signed && !from->is_signed);
	uint32_t to_bits = to->width + (is_signed && !to->is_signed);
	uint32_t bits = from_bits > to_bits ? from_bits : to_bits;
	if (bits > OVERFLOW_BITS_MAX) {
		lower_error(e, "on integers of %u bits is not supported; expected at most %d", bits,
		            OVERFLOW_BITS_MAX);
		return;
	}
	LLVMTypeRef wide = lower_int_type(e, bits);
	LLVMValueRef args[2];
	for (uint32_t i = 0; i < 2; i++)
		args[i] = lower_resize(e, lower_operand(e, op, i), from->is_signed, wide);
	LLVMValueRef pair = lower_intrinsic(e, overflow_intrinsic(op->kind, is_signed), &wide, 1, args, 2);
	LLVMValueRef value = LLVMBuildExtractValue(e->b, pair, 0, "");
	LLVMValueRef overflows = LLVMBuildExtractValue(e->b, pair, 1, "");
	LLVMValueRef cut = lower_resize(e, value, is_signed, lower_int_type(e, to->width));
	LLVMValueRef back = lower_resize(e, cut, to->is_signed, wide);
	if (back != value)
		overflows = LLVMBuildOr(e->b, overflows, LLVMBuildICmp(e->b, LLVMIntNE, back, value, ""), "");
	e->values[op->results[0].id] = cut;
	e->values[op->results[1].id] = overflows;
}
