/* Builtins (cir-reference 5.2 overflow, 5.5, 5.18). */
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
	LLVMValueRef args[3]; /* of an alignment also the offset, if there is one */
	for (uint32_t i = 1; i < op->noperands; i++) {
		const IrType *t = ir_operand(op, i)->type;
		LLVMValueRef v = lower_operand(e, op, i);
		args[i - 1] = ir_is_int(t) ? lower_resize(e, v, t->is_signed, e->word) : v;
	}
	lower_assume_bundle(e, always, tag, args, op->noperands - 1);
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

/* Computed in a type that holds every value of both the operands' and the result's; it overflows if that
 * does, or if the result, cut to its own type, is another number. */
void lower_overflow(Lower *e, const IrOp *op)
{
	const IrType *from = ir_operand(op, 0)->type, *to = op->results[0].type;
	bool is_signed = from->is_signed || to->is_signed;
	uint32_t width = to->kind == TYPE_BOOL ? 1 : to->width; /* one bit, unsigned */
	uint32_t from_bits = from->width + (is_signed && !from->is_signed);
	uint32_t to_bits = width + (is_signed && !to->is_signed);
	uint32_t bits = from_bits > to_bits ? from_bits : to_bits;
	if (bits > OVERFLOW_BITS_MAX) {
		lower_error(e, "on integers of %u bits is not supported (limit %d)", bits, OVERFLOW_BITS_MAX);
		return;
	}
	LLVMTypeRef wide = lower_int_type(e, bits);
	LLVMValueRef args[2];
	for (uint32_t i = 0; i < 2; i++)
		args[i] = lower_resize(e, lower_operand(e, op, i), from->is_signed, wide);
	LLVMValueRef pair = lower_intrinsic(e, overflow_intrinsic(op->kind, is_signed), &wide, 1, args, 2);
	LLVMValueRef value = LLVMBuildExtractValue(e->b, pair, 0, "");
	LLVMValueRef overflows = LLVMBuildExtractValue(e->b, pair, 1, "");
	LLVMValueRef cut = lower_resize(e, value, is_signed, lower_int_type(e, width));
	LLVMValueRef back = lower_resize(e, cut, to->is_signed, wide);
	if (back != value)
		overflows = LLVMBuildOr(e->b, overflows, LLVMBuildICmp(e->b, LLVMIntNE, back, value, ""), "");
	e->values[op->results[0].id] = cut;
	e->values[op->results[1].id] = overflows;
}

/* Assumptions */

void lower_assume_aligned(Lower *e, const IrOp *op)
{
	LLVMValueRef pointer = lower_operand(e, op, 0);
	LLVMValueRef args[3] = {pointer, LLVMConstInt(e->word, ir_op_uint(op, NAME_alignment, 1), false)};
	unsigned n = 2;
	if (op->noperands > 1) {
		const IrType *t = ir_operand(op, 1)->type;
		args[n++] = lower_resize(e, lower_operand(e, op, 1), t->is_signed, e->word);
	}
	lower_assume_bundle(e, LLVMConstInt(e->i1, 1, false), "align", args, n);
	lower_result(e, op, pointer);
}

void lower_assume_separate_storage(Lower *e, const IrOp *op)
{
	LLVMValueRef args[2] = {lower_operand(e, op, 0), lower_operand(e, op, 1)};
	lower_assume_bundle(e, LLVMConstInt(e->i1, 1, false), "separate_storage", args, 2);
}

void lower_expect(Lower *e, const IrOp *op)
{
	const IrAttr *prob = ir_op_attr(op, NAME_prob);
	LLVMValueRef args[3] = {lower_operand(e, op, 0), lower_operand(e, op, 1)};
	LLVMTypeRef type = LLVMTypeOf(args[0]);
	if (!prob) {
		lower_result(e, op, lower_intrinsic(e, INTRINSIC_EXPECT, &type, 1, args, 2));
		return;
	}
	LLVMBool inexact;
	args[2] = LLVMConstRealOfString(LLVMDoubleTypeInContext(e->context), prob->name->text);
	double p = LLVMConstRealGetDouble(args[2], &inexact);
	if (!(p >= 0 && p <= 1))
		lower_error(e, ": attribute 'prob' must be from 0 to 1; found '%s'", prob->name->text);
	else if (e->llvm_major < 22 && !e->options->optimized) /* an older code generator does not know it */
		lower_result(e, op, args[0]);
	else
		lower_result(e, op, lower_intrinsic(e, INTRINSIC_EXPECT_WITH_PROBABILITY, &type, 1, args, 3));
}

/* Addresses and memory */

void lower_ptr_mask(Lower *e, const IrOp *op)
{
	LLVMValueRef pointer = lower_operand(e, op, 0);
	LLVMTypeRef bits = LLVMIntPtrTypeForASInContext(e->context, e->data,
	                                                LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)));
	LLVMValueRef mask =
	    lower_resize(e, lower_operand(e, op, 1), ir_operand(op, 1)->type->is_signed, bits);
	LLVMValueRef args[2] = {pointer, mask};
	LLVMTypeRef types[2] = {LLVMTypeOf(pointer), bits};
	lower_result(e, op, lower_intrinsic(e, INTRINSIC_PTRMASK, types, 2, args, 2));
}

void lower_objsize(Lower *e, const IrOp *op)
{
	LLVMTypeRef result = lower_type(e, op->results[0].type);
	LLVMValueRef pointer = lower_operand(e, op, 0);
	LLVMValueRef args[4] = {
	    pointer, LLVMConstInt(e->i1, ir_op_enum(op, NAME_mode, OBJSIZE_MAX) == OBJSIZE_MIN, false),
	    LLVMConstInt(e->i1, ir_op_has(op, NAME_nullunknown), false),
	    LLVMConstInt(e->i1, ir_op_has(op, NAME_dynamic), false)};
	LLVMTypeRef types[2] = {result, LLVMTypeOf(pointer)};
	if (result)
		lower_result(e, op, lower_intrinsic(e, INTRINSIC_OBJECTSIZE, types, 2, args, 4));
}

/* The last argument: 1 is the data cache. */
void lower_prefetch(Lower *e, const IrOp *op)
{
	LLVMValueRef pointer = lower_operand(e, op, 0);
	LLVMTypeRef type = LLVMTypeOf(pointer);
	LLVMValueRef args[4] = {
	    pointer, LLVMConstInt(e->i32, ir_op_enum(op, NAME_access, PREFETCH_READ), false),
	    LLVMConstInt(e->i32, ir_op_uint(op, NAME_locality, 3), false), LLVMConstInt(e->i32, 1, false)};
	lower_intrinsic(e, INTRINSIC_PREFETCH, &type, 1, args, 4);
}

static void inline_bytes(Lower *e, const IrOp *op, Intrinsic id, LLVMValueRef to, LLVMValueRef what)
{
	LLVMTypeRef types[3] = {LLVMTypeOf(to), LLVMTypeOf(what), e->word};
	LLVMValueRef args[4] = {to, what, LLVMConstInt(e->word, ir_op_uint(op, NAME_len, 0), false),
	                        LLVMConstNull(e->i1)};
	bool set = id == INTRINSIC_MEMSET_INLINE;
	if (set)
		types[1] = types[2];
	lower_intrinsic(e, id, types, set ? 2 : 3, args, 4);
}

void lower_memcpy_inline(Lower *e, const IrOp *op)
{
	inline_bytes(e, op, INTRINSIC_MEMCPY_INLINE, lower_operand(e, op, 1), lower_operand(e, op, 0));
}

void lower_memset_inline(Lower *e, const IrOp *op)
{
	LLVMValueRef byte = lower_resize(e, lower_operand(e, op, 1), false, e->i8);
	inline_bytes(e, op, INTRINSIC_MEMSET_INLINE, lower_operand(e, op, 0), byte);
}

/* A function of the C library, which the module may define itself. */
static void call_library(Lower *e, const IrOp *op, const char *name, LLVMTypeRef result, LLVMTypeRef *params)
{
	LLVMValueRef args[3];
	CallSite c = {.type = LLVMFunctionType(result, params, 3, false), .args = args, .nargs = 3};
	for (uint32_t i = 0; i < 3; i++)
		args[i] = lower_operand(e, op, i);
	args[2] = lower_resize(e, args[2], false, params[2]); /* their size: of 64 bits in CIR */
	lower_find_symbol(e, name);
	c.callee = LLVMGetNamedFunction(e->module, name);
	if (!c.callee && LLVMGetNamedGlobal(e->module, name)) {
		lower_error(e, "calls '%s', which is a variable in this module", name);
		return;
	}
	if (!c.callee)
		c.callee = LLVMAddFunction(e->module, name, c.type);
	LLVMValueRef call = lower_call_site(e, &c);
	lower_library_attributes(e, call, op, name);
	lower_result(e, op, call);
}

void lower_libc_memchr(Lower *e, const IrOp *op)
{
	call_library(e, op, "memchr", e->ptr, (LLVMTypeRef[]){e->ptr, e->i32, e->word});
}

void lower_libc_memcmp(Lower *e, const IrOp *op)
{
	call_library(e, op, "memcmp", e->i32, (LLVMTypeRef[]){e->ptr, e->ptr, e->word});
}

/* Padding, in ranges of bits: whole bytes are cleared at once, those that are shared bit by bit. */

static LLVMValueRef byte_at(Lower *e, LLVMValueRef p, uint64_t offset)
{
	LLVMValueRef index = LLVMConstInt(e->word, offset, false);
	return offset ? LLVMBuildInBoundsGEP2(e->b, e->i8, p, &index, 1, "") : p;
}

static void clear_bits(Lower *e, LLVMValueRef p, uint64_t byte, unsigned from, unsigned to)
{
	unsigned cleared = (1u << to) - (1u << from);
	LLVMValueRef at = byte_at(e, p, byte);
	LLVMValueRef kept = LLVMBuildAnd(e->b, LLVMBuildLoad2(e->b, e->i8, at, ""),
	                                 LLVMConstInt(e->i8, ~cleared & 0xff, false), "");
	LLVMBuildStore(e->b, kept, at);
}

static void clear_range(Lower *e, LLVMValueRef p, uint64_t begin, uint64_t end)
{
	uint64_t first = (begin + 7) / 8, last = end / 8;
	if (begin / 8 == end / 8) {
		if (begin != end)
			clear_bits(e, p, begin / 8, begin % 8, end % 8);
		return;
	}
	if (begin % 8)
		clear_bits(e, p, begin / 8, begin % 8, 8);
	if (last > first)
		LLVMBuildMemSet(e->b, byte_at(e, p, first), LLVMConstNull(e->i8),
		                LLVMConstInt(e->word, last - first, false), 1);
	if (end % 8)
		clear_bits(e, p, last, 0, end % 8);
}

void lower_clear_padding(Lower *e, const IrOp *op)
{
	const IrAttr *offsets = ir_op_attr(op, NAME_offsets);
	for (uint32_t i = 0; i < offsets->n; i++) {
		uint64_t begin, end;
		CHECK(ir_attr_get_u64(offsets->elems[i]->elems[OFFSET_PAIR_BEGIN], &begin));
		CHECK(ir_attr_get_u64(offsets->elems[i]->elems[OFFSET_PAIR_END], &end));
		clear_range(e, lower_operand(e, op, 0), begin, end);
	}
}
