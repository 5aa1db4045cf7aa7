/* Vectors (cir-reference 5.19). */
#include "lower/lowerer.h"

#include "ir/layout.h"

/* An index counts without a sign. */
static LLVMValueRef index_value(Lower *e, const IrOp *op, uint32_t i)
{
	const IrType *t = ir_operand(op, i)->type;
	LLVMValueRef v = lower_operand(e, op, i);
	return !t->is_signed && t->width == 32 ? v : lower_resize(e, v, t->is_signed, e->i64);
}

static LLVMValueRef at(const Lower *e, uint64_t i)
{
	return LLVMConstInt(e->i64, i, false);
}

void lower_vec_create(Lower *e, const IrOp *op)
{
	LLVMTypeRef type = lower_type(e, op->results[0].type);
	if (!type)
		return;
	LLVMValueRef v = LLVMGetPoison(type);
	for (uint32_t i = 0; i < op->noperands; i++)
		v = LLVMBuildInsertElement(e->b, v, lower_operand(e, op, i), at(e, i), "");
	lower_result(e, op, v);
}

void lower_vec_insert(Lower *e, const IrOp *op)
{
	lower_result(e, op,
	             LLVMBuildInsertElement(e->b, lower_operand(e, op, 1), lower_operand(e, op, 0),
	                                    index_value(e, op, 2), ""));
}

void lower_vec_extract(Lower *e, const IrOp *op)
{
	lower_result(e, op,
	             LLVMBuildExtractElement(e->b, lower_operand(e, op, 0), index_value(e, op, 1), ""));
}

/* True is all ones, unless it is a boolean. */
void lower_vec_cmp(Lower *e, const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type->elem;
	LLVMTypeRef type = lower_type(e, op->results[0].type);
	if (!type)
		return;
	LLVMValueRef v = lower_compare(e, ir_op_enum(op, NAME_kind, CMP_EQ), t, lower_operand(e, op, 0),
	                               lower_operand(e, op, 1));
	lower_result(e, op, LLVMTypeOf(v) == type ? v : LLVMBuildSExt(e->b, v, type, ""));
}

/* LLVM has no code for these of the wide formats: lane by lane. */
static LLVMValueRef reduce_wide(Lower *e, bool max, LLVMValueRef v, const IrType *t)
{
	LLVMValueRef result = NULL;
	for (unsigned i = 0; i < t->count; i++) {
		LLVMValueRef lane = LLVMBuildExtractElement(e->b, v, LLVMConstInt(e->i32, i, false), "");
		result = result ? lower_maximum(e, max, result, lane, t->elem) : lane;
	}
	return result;
}

/* Sums and products of floats begin with a value: without one, with what changes nothing. */
void lower_vec_reduce(Lower *e, const IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, REDUCTION_ADD), nargs = 0;
	LLVMValueRef v = lower_operand(e, op, 0), args[2];
	const IrType *t = ir_operand(op, 0)->type;
	if ((kind == REDUCTION_FMAXIMUM || kind == REDUCTION_FMINIMUM) && ir_float_width(t->elem) > 64) {
		lower_result(e, op, reduce_wide(e, kind == REDUCTION_FMAXIMUM, v, t));
		return;
	}
	if (kind == REDUCTION_FADD || kind == REDUCTION_FMUL)
		args[nargs++] = op->noperands > 1 ? lower_operand(e, op, 1)
		                                  : LLVMConstReal(LLVMGetElementType(LLVMTypeOf(v)),
		                                                  kind == REDUCTION_FADD ? -0.0 : 1.0);
	args[nargs++] = v;
	const char *name =
	    arena_printf(e->scratch, "llvm.vector.reduce.%s", ir_enum_info[ENUM_REDUCTION].words[kind]);
	LLVMTypeRef type = LLVMTypeOf(v);
	LLVMValueRef f =
	    LLVMGetIntrinsicDeclaration(e->module, LLVMLookupIntrinsicID(name, strlen(name)), &type, 1);
	lower_result(e, op, LLVMBuildCall2(e->b, LLVMGlobalGetValueType(f), f, args, nargs, ""));
}

/* -1: the element does not matter. */
void lower_vec_shuffle(Lower *e, const IrOp *op)
{
	const IrAttr *indices = ir_op_attr(op, NAME_indices);
	LLVMValueRef *mask = arena_array(e->scratch, LLVMValueRef, indices->n + 1);
	for (uint32_t i = 0; i < indices->n; i++) {
		int64_t index;
		CHECK(ir_attr_get_i64(indices->elems[i], &index));
		mask[i] = index < 0 ? LLVMGetPoison(e->i32) : LLVMConstInt(e->i32, (uint64_t)index, false);
	}
	lower_result(e, op,
	             LLVMBuildShuffleVector(e->b, lower_operand(e, op, 0), lower_operand(e, op, 1),
	                                    LLVMConstVector(mask, indices->n), ""));
}

/* As clang has it, an index counts modulo the next power of two. */
void lower_vec_shuffle_dynamic(Lower *e, const IrOp *op)
{
	const IrType *t = op->results[0].type;
	LLVMValueRef v = lower_operand(e, op, 0), indices = lower_operand(e, op, 1);
	LLVMTypeRef index_type = LLVMTypeOf(indices);
	uint64_t mask = 1;
	while (mask < t->count)
		mask *= 2;
	indices = LLVMBuildAnd(e->b, indices, lower_splat_int(e, index_type, mask - 1), "");
	LLVMValueRef out = LLVMGetPoison(LLVMTypeOf(v));
	for (uint64_t i = 0; i < t->count; i++) {
		LLVMValueRef index = LLVMBuildExtractElement(e->b, indices, at(e, i), "");
		LLVMValueRef lane = LLVMBuildExtractElement(e->b, v, index, "");
		out = LLVMBuildInsertElement(e->b, out, lane, at(e, i), "");
	}
	lower_result(e, op, out);
}

static LLVMValueRef truth(Lower *e, const IrOp *op, uint32_t i)
{
	LLVMValueRef v = lower_operand(e, op, i);
	if (ir_operand(op, i)->type->elem->kind == TYPE_BOOL)
		return v;
	return LLVMBuildICmp(e->b, LLVMIntNE, v, LLVMConstNull(LLVMTypeOf(v)), "");
}

void lower_vec_ternary(Lower *e, const IrOp *op)
{
	LLVMValueRef c = truth(e, op, 0);
	lower_result(e, op, LLVMBuildSelect(e->b, c, lower_operand(e, op, 1), lower_operand(e, op, 2), ""));
}

void lower_vec_splat(Lower *e, const IrOp *op)
{
	LLVMTypeRef type = lower_type(e, op->results[0].type);
	if (!type)
		return;
	LLVMTypeRef mask = LLVMVectorType(e->i32, (unsigned)op->results[0].type->count);
	LLVMValueRef poison = LLVMGetPoison(type);
	LLVMValueRef one = LLVMBuildInsertElement(e->b, poison, lower_operand(e, op, 0), at(e, 0), "");
	lower_result(e, op, LLVMBuildShuffleVector(e->b, one, poison, LLVMConstNull(mask), ""));
}

/* Before LLVM 22 the alignment was the second argument; now it is an attribute of the pointer. */
void lower_vec_masked_load(Lower *e, const IrOp *op)
{
	IrType *t = op->results[0].type;
	LLVMTypeRef type = lower_type(e, t);
	if (!type)
		return;
	uint64_t align = ir_op_uint(op, NAME_alignment, 0);
	align = align ? align : ir_type_align(t);
	if (!lower_check_align(e, align))
		return;
	bool argument = e->llvm_major < 22;
	LLVMValueRef pointer = lower_operand(e, op, 0), args[4] = {pointer};
	LLVMTypeRef overloads[2] = {type, LLVMTypeOf(pointer)};
	unsigned n = 1;
	if (argument)
		args[n++] = LLVMConstInt(e->i32, align, false);
	args[n++] = truth(e, op, 1);
	args[n++] = lower_operand(e, op, 2);
	LLVMValueRef v = lower_intrinsic(e, INTRINSIC_MASKED_LOAD, overloads, 2, args, n);
	if (!argument)
		LLVMSetInstrParamAlignment(v, 1, (unsigned)align);
	lower_result(e, op, v);
}
