/* Values of a body. */
#include "raise/raiser.h"

IrOp *raise_op(Raise *r, OpKind kind, IrType *result, IrValue *const *operands, uint32_t n)
{
	return ir_build(&r->b, kind, result, operands, n);
}

void raise_flag(Raise *r, IrOp *op, NameId name, bool on)
{
	if (on)
		ir_set_flag(r->m, op, name);
}

/* LLVM-C has no number for the largest alignment, 4 GiB, and gives 0. */
void raise_align(Raise *r, IrOp *op, LLVMValueRef v)
{
	const uint64_t most = UINT64_C(1) << 31;
	unsigned align = LLVMGetAlignment(v);
	raise_int(r, op, NAME_alignment, align ? align : most);
}

void raise_int(Raise *r, IrOp *op, NameId name, uint64_t value)
{
	ir_op_set_attr(r->m, op, ir_known_name(r->m, name), ir_attr_i64(r->m, (int64_t)value));
}

static const IrType *scalar(const IrType *t)
{
	return t->kind == TYPE_VECTOR ? t->elem : t;
}

/* None of these makes code. */
IrValue *raise_cast(Raise *r, IrValue *v, IrType *t)
{
	if (!v || !t || v->type == t)
		return v;
	const IrType *from = scalar(v->type), *to = scalar(t);
	if (from->kind == TYPE_BOOL)
		return ir_build_cast(&r->b, CAST_BOOL_TO_INT, v, t);
	if (to->kind == TYPE_BOOL)
		return ir_build_cast(&r->b, CAST_INT_TO_BOOL, v, t);
	if (ir_is_int(from) && ir_is_int(to))
		return ir_build_cast(&r->b, CAST_INTEGRAL, v, t);
	return ir_build_cast(&r->b, CAST_BITCAST, v, t);
}

/* A constant expression becomes the ops that it is made of. Expressions share parts, but few and small ones. */
static IrValue *expression(Raise *r, LLVMValueRef v, unsigned depth);

static IrValue *constant_part(Raise *r, LLVMValueRef v, unsigned depth)
{
	enum { DEPTH_MAX = 200 };
	if (depth > DEPTH_MAX) {
		raise_error(r, "has a constant expression that is nested too deep");
		return NULL;
	}
	return LLVMIsAConstantExpr(v) ? expression(r, v, depth + 1) : raise_use(r, v);
}

static IrValue *gep_expression(Raise *r, LLVMValueRef v, unsigned depth)
{
	uint32_t n = (uint32_t)LLVMGetNumOperands(v);
	IrValue **operands = raise_array(&r->body, sizeof *operands, n);
	IrType *elem = raise_memory_type(r, LLVMGetGEPSourceElementType(v));
	for (uint32_t i = 0; i < n; i++)
		if (!(operands[i] = constant_part(r, LLVMGetOperand(v, i), depth)))
			return NULL;
	IrType *t = raise_type(r, LLVMTypeOf(v));
	if (!elem || !t)
		return NULL;
	IrOp *op = raise_op(r, OP_GEP, t, operands, n);
	unsigned flags = LLVMGEPGetNoWrapFlags(v);
	ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_elem_type), ir_attr_type(r->m, elem));
	raise_flag(r, op, NAME_inbounds, flags & LLVMGEPFlagInBounds);
	raise_flag(r, op, NAME_nusw, (flags & LLVMGEPFlagNUSW) && !(flags & LLVMGEPFlagInBounds));
	raise_flag(r, op, NAME_nuw, flags & LLVMGEPFlagNUW);
	return &op->results[0];
}

static IrValue *expression(Raise *r, LLVMValueRef v, unsigned depth)
{
	static const struct {
		LLVMOpcode code;
		unsigned kind;
		bool cast;
	} rows[] = {
	    {LLVMTrunc, LLVM_CAST_TRUNC, true},
	    {LLVMPtrToInt, LLVM_CAST_PTRTOINT, true},
	    {LLVMIntToPtr, LLVM_CAST_INTTOPTR, true},
	    {LLVMBitCast, LLVM_CAST_BITCAST, true},
	    {LLVMAddrSpaceCast, LLVM_CAST_ADDRSPACECAST, true},
	    {LLVMAdd, LLVM_BINARY_ADD, false},
	    {LLVMSub, LLVM_BINARY_SUB, false},
	    {LLVMXor, LLVM_BINARY_XOR, false},
	};
	LLVMOpcode code = raise_opcode(LLVMGetConstOpcode(v));
	IrType *t = raise_type(r, LLVMTypeOf(v));
	if (!t || code == LLVMGetElementPtr)
		return t ? gep_expression(r, v, depth) : NULL;
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].code != code)
			continue;
		IrValue *operands[2] = {constant_part(r, LLVMGetOperand(v, 0), depth)};
		operands[1] = rows[i].cast ? NULL : constant_part(r, LLVMGetOperand(v, 1), depth);
		if (!operands[0] || (!rows[i].cast && !operands[1]))
			return NULL;
		IrOp *op =
		    raise_op(r, rows[i].cast ? OP_CONVERT : OP_BINARY, t, operands, rows[i].cast ? 1 : 2);
		ir_set_enum(r->m, op, NAME_kind, rows[i].cast ? ENUM_LLVM_CAST : ENUM_LLVM_BINARY,
		            rows[i].kind);
		return &op->results[0];
	}
	raise_error(r, "has a constant expression without a counterpart in CIR");
	return NULL;
}

static IrValue *symbol_address(Raise *r, LLVMValueRef v, IrType *t)
{
	Name *name = raise_symbol_name(r, v);
	if (!name || !ir_symbol(name))
		return NULL;
	return raise_cast(r, ir_build_get_global(&r->b, name), t);
}

static IrValue *constant(Raise *r, LLVMValueRef v, IrType *t)
{
	if (LLVMIsAGlobalValue(v))
		return symbol_address(r, v, t);
	if (LLVMIsAConstantExpr(v))
		return raise_cast(r, expression(r, v, 0), t);
	const IrAttr *a = raise_scalar(r, v, t);
	return a ? ir_build_const(&r->b, a) : NULL;
}

IrValue *raise_use_as(Raise *r, LLVMValueRef v, IrType *t)
{
	if (!t)
		return NULL;
	if (LLVMIsConstant(v))
		return constant(r, v, t);
	IrValue *known = ptrmap_get(&r->values, v);
	if (!known)
		raise_error(r, "uses a value that has no counterpart in CIR");
	return raise_cast(r, known, t);
}

IrValue *raise_use(Raise *r, LLVMValueRef v)
{
	return raise_use_as(r, v, raise_type(r, LLVMTypeOf(v)));
}

IrValue *raise_use_in_memory(Raise *r, LLVMValueRef v)
{
	return raise_use_as(r, v, raise_memory_type(r, LLVMTypeOf(v)));
}

void raise_result(Raise *r, IrValue *v)
{
	ptrmap_put(&r->body, &r->values, r->instruction, v);
}
