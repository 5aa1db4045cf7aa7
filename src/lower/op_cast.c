/* Constants and casts (cir-reference 5.1). */
#include "lower/lowerer.h"

#include "ir/layout.h"

/* Only a store takes such a constant as it is (op_mem.c). */
static bool is_only_stored(const IrValue *v)
{
	IR_FOR_USES (u, v)
		if (u->user->kind != OP_STORE || ir_operand(u->user, 0) != v)
			return false;
	return true;
}

/* A constant whose bytes LLVM knows under another type than the value's is read from memory. */
static LLVMValueRef read_constant(Lower *e, LLVMValueRef constant, IrType *t)
{
	LLVMValueRef slot = lower_constant_slot(e, constant, t);
	return LLVMBuildLoad2(e->b, lower_type(e, t), slot, "");
}

static bool is_thread_address(const Lower *e, const IrAttr *a)
{
	return !e->whole && (a->kind == ATTR_GLOBAL_VIEW || a->kind == ATTR_GLOBAL_OFFSET) &&
	       ir_op_has(ir_symbol(a->name), NAME_tls_model);
}

void lower_const(Lower *e, const IrOp *op)
{
	IrType *t = op->results[0].type;
	LLVMTypeRef type = lower_type(e, t);
	const IrAttr *value = ir_op_attr(op, NAME_value);
	LLVMValueRef v = !type || !lower_count_parts(e, value) ? NULL
	                 : is_thread_address(e, value)         ? lower_thread_address(e, value)
	                                                       : lower_constant(e, value);
	if (!v)
		return;
	bool aggregate = t->kind == TYPE_RECORD || t->kind == TYPE_ARRAY;
	if (!aggregate || !is_only_stored(&op->results[0])) {
		if (!lower_check_value(e, t))
			return;
		if (aggregate && LLVMTypeOf(v) != type)
			v = read_constant(e, v, t);
	}
	lower_result(e, op, v);
}

/* Numbers */

static LLVMOpcode number_opcode(const IrType *from, const IrType *to)
{
	bool from_float = ir_is_float(from), to_float = ir_is_float(to);
	if (from_float)
		return to->is_signed ? LLVMFPToSI : LLVMFPToUI;
	CHECK(to_float);
	return from->is_signed ? LLVMSIToFP : LLVMUIToFP;
}

static LLVMValueRef to_bool(Lower *e, LLVMValueRef v, const IrType *from)
{
	LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(v));
	if (ir_is_float(ir_scalar(from)))
		return LLVMBuildFCmp(e->b, LLVMRealUNE, v, zero, "");
	return LLVMBuildICmp(e->b, LLVMIntNE, v, zero, "");
}

/* LLVM's own choice for two types of one size, half and bfloat, is a bitcast. */
static LLVMValueRef float_cast(Lower *e, LLVMValueRef v, const IrType *from, const IrType *to,
                               LLVMTypeRef type)
{
	TypeKind a = ir_scalar(from)->kind, b = ir_scalar(to)->kind;
	if ((a == TYPE_HALF && b == TYPE_BF16) || (a == TYPE_BF16 && b == TYPE_HALF)) {
		LLVMTypeRef wide = LLVMFloatTypeInContext(e->context);
		if (to->kind == TYPE_VECTOR)
			wide = LLVMVectorType(wide, (unsigned)to->count);
		v = LLVMBuildFPExt(e->b, v, wide, "");
	}
	return LLVMBuildFPCast(e->b, v, type, "");
}

/* With AVX512-FP16 LLVM fails on vectors of these, or calls functions that few libraries have. */
static bool is_half_with_wide(const IrType *half, const IrType *wide)
{
	return half->kind == TYPE_HALF && ir_is_int(wide) && wide->width > 64;
}

/* By way of float, which is exact: integers that float rounds are too large for a half. */
static LLVMValueRef half_cast(Lower *e, LLVMValueRef v, const IrType *from, const IrType *to,
                              LLVMTypeRef type)
{
	LLVMTypeRef wide = LLVMFloatTypeInContext(e->context);
	LLVMOpcode code = number_opcode(ir_scalar(from), ir_scalar(to));
	if (to->kind == TYPE_VECTOR)
		wide = LLVMVectorType(wide, (unsigned)to->count);
	if (ir_is_float(ir_scalar(from)))
		return LLVMBuildCast(e->b, code, LLVMBuildFPExt(e->b, v, wide, ""), type, "");
	return LLVMBuildFPTrunc(e->b, LLVMBuildCast(e->b, code, v, wide, ""), type, "");
}

LLVMValueRef lower_convert(Lower *e, LLVMValueRef v, const IrType *from, IrType *to)
{
	const IrType *a = ir_scalar(from), *b = ir_scalar(to);
	LLVMTypeRef type = lower_type(e, to);
	if (!type || LLVMTypeOf(v) == type)
		return type ? v : NULL;
	if (b->kind == TYPE_BOOL)
		return to_bool(e, v, from);
	if (!ir_is_float(a) && !ir_is_float(b))
		return lower_resize(e, v, a->is_signed, type);
	if (ir_is_float(a) && ir_is_float(b))
		return float_cast(e, v, from, to, type);
	if (is_half_with_wide(a, b) || is_half_with_wide(b, a))
		return half_cast(e, v, from, to, type);
	return LLVMBuildCast(e->b, number_opcode(a, b), v, type, "");
}

/* Complex numbers; their parts are in memory's form. */

LLVMValueRef lower_complex_parts(Lower *e, LLVMValueRef v, const IrType *complex, unsigned i)
{
	return lower_from_memory(e, LLVMBuildExtractValue(e->b, v, i, ""), complex->elem);
}

LLVMValueRef lower_make_complex(Lower *e, LLVMValueRef re, LLVMValueRef im, IrType *complex)
{
	LLVMTypeRef type = lower_type(e, complex);
	if (!type)
		return NULL;
	re = lower_to_memory(e, re, complex->elem);
	im = lower_to_memory(e, im, complex->elem);
	LLVMValueRef v = LLVMBuildInsertValue(e->b, LLVMGetPoison(type), re, 0, "");
	return LLVMBuildInsertValue(e->b, v, im, 1, "");
}

static LLVMValueRef to_complex(Lower *e, LLVMValueRef v, IrType *to)
{
	return lower_make_complex(e, v, LLVMConstNull(LLVMTypeOf(v)), to);
}

static LLVMValueRef complex_to_bool(Lower *e, LLVMValueRef v, const IrType *from)
{
	LLVMValueRef re = to_bool(e, lower_complex_parts(e, v, from, 0), from->elem);
	LLVMValueRef im = to_bool(e, lower_complex_parts(e, v, from, 1), from->elem);
	return LLVMBuildOr(e->b, re, im, "");
}

static LLVMValueRef complex_to_complex(Lower *e, LLVMValueRef v, const IrType *from, IrType *to)
{
	LLVMValueRef re = lower_convert(e, lower_complex_parts(e, v, from, 0), from->elem, to->elem);
	LLVMValueRef im =
	    re ? lower_convert(e, lower_complex_parts(e, v, from, 1), from->elem, to->elem) : NULL;
	return im ? lower_make_complex(e, re, im, to) : NULL;
}

/* Pointers */

static LLVMValueRef int_to_ptr(Lower *e, LLVMValueRef v, const IrType *from, LLVMTypeRef type)
{
	return LLVMBuildIntToPtr(e->b, lower_resize(e, v, from->is_signed, e->word), type, "");
}

static LLVMValueRef member_to_bool(Lower *e, LLVMValueRef v, const IrType *from)
{
	if (from->kind == TYPE_DATA_MEMBER)
		return LLVMBuildICmp(e->b, LLVMIntNE, v, LLVMConstAllOnes(e->word), "");
	if (e->target->machine->virtual_in_adj)
		return LLVMBuildNot(e->b, lower_is_null_method(e, v), "");
	LLVMValueRef address = LLVMBuildExtractValue(e->b, v, 0, "");
	return LLVMBuildICmp(e->b, LLVMIntNE, address, LLVMConstNull(e->word), "");
}

static LLVMValueRef convert(Lower *e, const IrOp *op, LLVMValueRef v, const IrType *from, IrType *to)
{
	LLVMTypeRef type = lower_type(e, to);
	if (!type)
		return NULL;
	switch (ir_op_enum(op, NAME_kind, CAST_BITCAST)) {
	case CAST_INT_TO_PTR:
		return int_to_ptr(e, v, from, type);
	case CAST_PTR_TO_INT:
		return LLVMBuildPtrToInt(e->b, v, type, "");
	case CAST_PTR_TO_BOOL:
		return to_bool(e, v, from);
	case CAST_BITCAST:
		return LLVMTypeOf(v) == type ? v : LLVMBuildBitCast(e->b, v, type, "");
	case CAST_ARRAY_TO_PTRDECAY:
		return v;
	case CAST_ADDRESS_SPACE:
		return LLVMTypeOf(v) == type ? v : LLVMBuildAddrSpaceCast(e->b, v, type, "");
	case CAST_MEMBER_PTR_TO_BOOL:
		return member_to_bool(e, v, from);
	case CAST_FLOAT_TO_COMPLEX:
	case CAST_INT_TO_COMPLEX:
		return to_complex(e, v, to);
	case CAST_FLOAT_COMPLEX_TO_REAL:
	case CAST_INT_COMPLEX_TO_REAL:
		return lower_complex_parts(e, v, from, 0);
	case CAST_FLOAT_COMPLEX_TO_BOOL:
	case CAST_INT_COMPLEX_TO_BOOL:
		return complex_to_bool(e, v, from);
	case CAST_FLOAT_COMPLEX:
	case CAST_INT_COMPLEX:
	case CAST_FLOAT_COMPLEX_TO_INT_COMPLEX:
	case CAST_INT_COMPLEX_TO_FLOAT_COMPLEX:
		return complex_to_complex(e, v, from, to);
	default:
		return lower_convert(e, v, from, to);
	}
}

void lower_cast(Lower *e, const IrOp *op)
{
	LLVMValueRef v =
	    convert(e, op, lower_operand(e, op, 0), ir_operand(op, 0)->type, op->results[0].type);
	if (v)
		lower_result(e, op, v);
}

/* Between integers of one width, but that an index, of 64 bits, is extended or cut as
 * the integer's sign says. */
void lower_builtin_int_cast(Lower *e, const IrOp *op)
{
	IrType *from = ir_operand(op, 0)->type, *to = op->results[0].type;
	bool sign = ir_is_int(from) ? from->is_signed : to->is_signed;
	LLVMTypeRef type = lower_type(e, to);
	if (type)
		lower_result(e, op, LLVMBuildIntCast2(e->b, lower_operand(e, op, 0), type, sign, ""));
}
