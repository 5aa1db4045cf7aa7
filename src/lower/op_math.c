/* Ops that are one call of an intrinsic (op_intrinsic.def), and the rest of the
 * mathematical library (cir-reference 5.4). */
#include "lower/lowerer.h"

typedef struct IntrinsicOp {
	bool is_row;
	Intrinsic id;
	const char *overloads;
	NameId flag;
} IntrinsicOp;

static const IntrinsicOp intrinsic_ops[OP_COUNT] = {
#define INTRINSIC_OP(op, intrinsic, overloads, flag)                                                         \
	[OP_##op] = {true, INTRINSIC_##intrinsic, overloads, flag},
#include "lower/op_intrinsic.def"
};

static unsigned overload_types(const Lower *e, const IrOp *op, const char *letters, LLVMTypeRef *out)
{
	unsigned n = 0;
	for (; letters[n]; n++) {
		char c = letters[n];
		bool operand = c == 'a' || c == 'b';
		const IrValue *v =
		    operand ? ir_operand(op, (uint32_t)(c - 'a')) : &op->results[(unsigned)(c - 'r')];
		CHECK(n < OVERLOADS_MAX && e->types[v->type->id]);
		out[n] = e->types[v->type->id];
	}
	return n;
}

/* overload_types() looks them up. */
static bool have_types(Lower *e, const IrOp *op)
{
	for (uint32_t i = 0; i < op->noperands; i++)
		if (!lower_type(e, ir_operand(op, i)->type))
			return false;
	for (uint32_t i = 0; i < op->nresults; i++)
		if (!lower_type(e, op->results[i].type))
			return false;
	return true;
}

bool lower_has_function(Lower *e, const IrOp *op)
{
	static const uint8_t widths[OP_COUNT] = {
#define MATH_FUNCTION(op, width) [OP_##op] = (width),
#include "lower/math_function.def"
	};
	unsigned width = e->coff && op->noperands ? ir_float_width(ir_scalar(ir_operand(op, 0)->type)) : 0;
	const AbiMachine *m = e->target->machine;
	bool jumps = op->kind == OP_EH_SETJMP || op->kind == OP_EH_LONGJMP;
	bool code = op->kind == OP_CLEAR_CACHE || op->kind == OP_ADDRESS_OF_RETURN_ADDRESS;
	/* LLVM knows no functions for these, and fails, or traps, in the code generator. */
	bool lacks = (op->kind == OP_FREXP && width > 64) || (op->kind == OP_EXP10 && width > 80);
	lacks = lacks || (!e->microsoft && widths[op->kind] && width > 80);
	bool differs = e->microsoft && widths[op->kind] && width >= widths[op->kind];
	bool unknown = (jumps && !m->has_builtin_setjmp) || (code && !m->code_in_memory);
	if (unknown)
		lower_error(e, "is not available on target '%s', for which LLVM has no code",
		            e->target->name);
	else if (e->coff &&
	         jumps) /* the buffer holds llvm.frameaddress, which is not the frame pointer there */
		lower_error(e, "is not available on Windows");
	else if (lacks)
		lower_error(e, "on '%s' is not available on Windows",
		            lower_spell(e, ir_operand(op, 0)->type));
	else if (differs)
		lower_error(e,
		            "on '%s' is not available on windows-msvc, because its C functions for 'long "
		            "double' take a 'double'",
		            lower_spell(e, ir_operand(op, 0)->type));
	return !(lacks || differs || unknown || (e->coff && jumps));
}

static LLVMValueRef call_intrinsic(Lower *e, const IrOp *op)
{
	const IntrinsicOp *row = &intrinsic_ops[op->kind];
	LLVMTypeRef overloads[OVERLOADS_MAX];
	LLVMValueRef args[4];
	unsigned n = 0;
	CHECK(row->is_row && op->noperands < ARRAY_LEN(args));
	if (!have_types(e, op) || !lower_has_function(e, op))
		return NULL;
	for (; n < op->noperands; n++)
		args[n] = lower_operand(e, op, n);
	if (row->flag != NAME_COUNT)
		args[n++] = LLVMConstInt(e->i1, ir_op_has(op, row->flag), false);
	return lower_intrinsic(e, row->id, overloads, overload_types(e, op, row->overloads, overloads), args,
	                       n);
}

void lower_intrinsic_op(Lower *e, const IrOp *op)
{
	LLVMValueRef v = lower_for_mingw(e, op) ? NULL : call_intrinsic(e, op);
	if (v && op->nresults)
		lower_result(e, op, v);
}

static LLVMValueRef is_class(Lower *e, LLVMValueRef x, uint64_t classes)
{
	LLVMTypeRef type = LLVMTypeOf(x);
	LLVMValueRef args[2] = {x, LLVMConstInt(e->i32, classes, false)};
	return lower_intrinsic(e, INTRINSIC_IS_FPCLASS, &type, 1, args, 2);
}

/* Both results at once, in a structure. */
static void set_pair(Lower *e, const IrOp *op, LLVMValueRef pair)
{
	for (unsigned i = 0; pair && i < 2; i++)
		e->values[op->results[i].id] = LLVMBuildExtractValue(e->b, pair, i, "");
}

void lower_frexp(Lower *e, const IrOp *op)
{
	set_pair(e, op, call_intrinsic(e, op));
}

/* LLVM has no code for some of its intrinsics on the 16-bit formats: they are computed in float,
 * which holds every value of these. */
static LLVMValueRef extend_half(Lower *e, LLVMValueRef x)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(x));
	if (kind != LLVMHalfTypeKind && kind != LLVMBFloatTypeKind)
		return x;
	return LLVMBuildFPExt(e->b, x, LLVMFloatTypeInContext(e->context), "");
}

/* C's long has 32 bits on Windows, and lround() and lrint() give no more there; what
 * wants 64 is rounded as a long long. */
OpKind lower_rounding(const Lower *e, const IrOp *op)
{
	if ((op->kind != OP_LROUND && op->kind != OP_LRINT) || !e->coff || op->results[0].type->width <= 32)
		return op->kind;
	return op->kind == OP_LROUND ? OP_LLROUND : OP_LLRINT;
}

void lower_round_to_int(Lower *e, const IrOp *op)
{
	LLVMTypeRef type = lower_type(e, op->results[0].type);
	if (!type || !lower_has_function(e, op))
		return;
	LLVMValueRef x = extend_half(e, lower_operand(e, op, 0));
	LLVMTypeRef overloads[] = {type, LLVMTypeOf(x)};
	LLVMValueRef v = lower_intrinsic(e, intrinsic_ops[lower_rounding(e, op)].id, overloads,
	                                 ARRAY_LEN(overloads), &x, 1);
	if (v)
		lower_result(e, op, v);
}

void lower_modf(Lower *e, const IrOp *op)
{
	if (!lower_has_function(e, op))
		return;
	LLVMValueRef half = lower_operand(e, op, 0), x = extend_half(e, half);
	LLVMTypeRef own = LLVMTypeOf(half), type = LLVMTypeOf(x);
	LLVMValueRef pair = lower_intrinsic(e, INTRINSIC_MODF, &type, 1, &x, 1);
	set_pair(e, op, pair);
	for (unsigned i = 0; pair && type != own && i < 2; i++) {
		LLVMValueRef *v = &e->values[op->results[i].id];
		*v = LLVMBuildFPTrunc(e->b, *v, own, "");
	}
}

/* IEEE 754-2019 maximum and minimum */

/* The larger by comparing; of two equal ones, that which is not -0; a NaN of a NaN. For
 * the minimum the other way round. */
static LLVMValueRef choose(Lower *e, bool max, LLVMValueRef a, LLVMValueRef b)
{
	enum { NEGATIVE_ZERO = 32 };
	LLVMValueRef first = LLVMBuildFCmp(e->b, max ? LLVMRealOGT : LLVMRealOLT, a, b, "");
	LLVMValueRef equal = LLVMBuildFCmp(e->b, LLVMRealOEQ, a, b, "");
	LLVMValueRef unordered = LLVMBuildFCmp(e->b, LLVMRealUNO, a, b, "");
	LLVMValueRef other = is_class(e, max ? a : b, NEGATIVE_ZERO);
	LLVMValueRef v = LLVMBuildSelect(e->b, first, a, b, "");
	v = LLVMBuildSelect(e->b, equal, LLVMBuildSelect(e->b, other, b, a, ""), v, "");
	return LLVMBuildSelect(e->b, unordered, LLVMBuildFAdd(e->b, a, b, ""), v, "");
}

/* LLVM has no code for its own intrinsics on the wide formats. */
LLVMValueRef lower_maximum(Lower *e, bool max, LLVMValueRef a, LLVMValueRef b, const IrType *t)
{
	LLVMValueRef args[2] = {a, b};
	LLVMTypeRef type = LLVMTypeOf(a);
	if (ir_float_width(ir_scalar(t)) > 64)
		return choose(e, max, a, b);
	return lower_intrinsic(e, max ? INTRINSIC_MAXIMUM : INTRINSIC_MINIMUM, &type, 1, args, 2);
}

void lower_ieee_min_max(Lower *e, const IrOp *op)
{
	LLVMValueRef a = lower_operand(e, op, 0), b = lower_operand(e, op, 1);
	lower_result(e, op, lower_maximum(e, op->kind == OP_FMAXIMUM, a, b, op->results[0].type));
}

/* The sign is the highest bit of every format: bits of x < 0. */
void lower_signbit(Lower *e, const IrOp *op)
{
	unsigned width = ir_float_width(ir_operand(op, 0)->type);
	LLVMTypeRef type = lower_int_type(e, width);
	LLVMValueRef bits = LLVMBuildBitCast(e->b, lower_operand(e, op, 0), type, "");
	lower_result(e, op, LLVMBuildICmp(e->b, LLVMIntSLT, bits, LLVMConstNull(type), ""));
}

void lower_is_fp_class(Lower *e, const IrOp *op)
{
	lower_result(e, op, is_class(e, lower_operand(e, op, 0), ir_op_uint(op, NAME_flags, 0)));
}
