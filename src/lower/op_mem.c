/* Memory (cir-reference 5.5). */
#include "lower/debug.h"

#include "ir/layout.h"

static IrType *pointee(const IrOp *op)
{
	return ir_operand(op, 0)->type->elem;
}

static uint64_t align_of(const IrOp *op, NameId name, IrType *t)
{
	uint64_t given = ir_op_uint(op, name, 0);
	return given ? given : ir_type_align(t);
}

/* Stack slots */

/* Names are for who reads the IR: to keep one costs LLVM as much as the slot. */
static const char *slot_name(const Lower *e, const char *name)
{
	return e->options->code_only ? "" : name;
}

LLVMValueRef lower_slot(Lower *e, LLVMTypeRef type, uint64_t align, const char *name)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function);
	if (here != entry) {
		LLVMValueRef first = LLVMGetFirstInstruction(entry);
		LLVMPositionBuilderBefore(e->b, first);
	}
	LLVMValueRef slot = LLVMBuildAlloca(e->b, type, slot_name(e, name));
	lower_alignment(e, slot, align);
	if (here != entry)
		LLVMPositionBuilderAtEnd(e->b, here);
	return slot;
}

/* Memory of a size that is known only now lives where it stands, until the function returns. */
void lower_alloca(Lower *e, const IrOp *op)
{
	IrType *t = op->results[0].type->elem;
	LLVMTypeRef type = lower_memory_type(e, t);
	const char *name = ir_op_attr(op, NAME_name)->name->text;
	uint64_t align = align_of(op, NAME_alignment, t);
	if (!type)
		return;
	if (ir_op_nmain(op) == 0) {
		LLVMValueRef fixed = lower_slot(e, type, align, name);
		debug_local(e, op, fixed);
		lower_slot_annotations(e, op, fixed);
		lower_result(e, op, fixed);
		return;
	}
	bool sign = ir_operand(op, 0)->type->is_signed;
	LLVMValueRef count = lower_resize(e, lower_operand(e, op, 0), sign, e->word);
	LLVMValueRef slot = LLVMBuildArrayAlloca(e->b, type, count, slot_name(e, name));
	lower_alignment(e, slot, align);
	lower_slot_annotations(e, op, slot);
	lower_result(e, op, slot);
}

void lower_lifetime(Lower *e, const IrOp *op)
{
	LLVMValueRef slot = lower_operand(e, op, 0);
	Intrinsic id = op->kind == OP_LIFETIME_START ? INTRINSIC_LIFETIME_START : INTRINSIC_LIFETIME_END;
	/* Before LLVM 22 the size came first; -1: all of it. */
	LLVMValueRef args[2] = {LLVMConstAllOnes(e->i64), slot};
	bool sized = e->llvm_major < 22;
	lower_intrinsic(e, id, &e->ptr, 1, args + !sized, 1 + sized);
}

/* Loads and stores */

static void add_metadata(const Lower *e, LLVMValueRef access, const char *kind, LLVMValueRef operand)
{
	LLVMMetadataRef md = operand ? LLVMValueAsMetadata(operand) : NULL;
	LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, &md, md != NULL);
	unsigned id = LLVMGetMDKindIDInContext(e->context, kind, (unsigned)strlen(kind));
	LLVMSetMetadata(access, id, LLVMMetadataAsValue(e->context, node));
}

/* What loads and stores have in common. */
static void set_access(Lower *e, LLVMValueRef access, const IrOp *op, IrType *t)
{
	lower_alignment(e, access, align_of(op, NAME_alignment, t));
	if (ir_op_has(op, NAME_is_volatile_flag))
		LLVMSetVolatile(access, true);
	if (ir_op_has(op, NAME_invariant))
		add_metadata(e, access, "invariant.load", NULL);
	if (!ir_op_has(op, NAME_mem_order))
		return;
	LLVMSetOrdering(access, lower_ordering(op, NAME_mem_order));
	LLVMSetAtomicSingleThread(access, lower_single_thread(op));
}

static void set_nontemporal(Lower *e, LLVMValueRef access)
{
	add_metadata(e, access, "nontemporal", LLVMConstInt(e->i32, 1, false));
}

/* Whether there is an instruction for a nontemporal load of it, movntdqa: whole vectors only. */
static bool is_streamed(const IrType *t)
{
	const IrType *scalar = ir_scalar(t);
	uint64_t size = t->kind == TYPE_VECTOR ? ir_type_size((IrType *)t) : 0;
	uint64_t part = ir_type_size((IrType *)scalar);
	return (size == 16 || size == 32 || size == 64) && size == part * t->count && part <= 8 &&
	       scalar->kind != TYPE_BOOL && (!ir_is_int(scalar) || scalar->width == part * 8);
}

/* LLVM ends the process when the code generator folds a load that is marked so of less than a whole vector
 * (useNonTemporalLoad of X86ISelDAGToDAG.cpp): others have no mark, and nothing makes a volatile one narrower. */
static void set_streamed_load(Lower *e, LLVMValueRef load, const IrType *t)
{
	if (!is_streamed(t))
		return;
	set_nontemporal(e, load);
	LLVMSetVolatile(load, true);
}

void lower_load(Lower *e, const IrOp *op)
{
	IrType *t = op->results[0].type;
	LLVMTypeRef type = lower_access_type(e, t);
	if (!type)
		return;
	LLVMValueRef v = LLVMBuildLoad2(e->b, type, lower_operand(e, op, 0), "");
	set_access(e, v, op, t);
	if (ir_op_has(op, NAME_nontemporal))
		set_streamed_load(e, v, t);
	lower_result(e, op, lower_from_access(e, v, t));
}

static LLVMValueRef memory_call(Lower *e, Intrinsic id, LLVMValueRef dst, LLVMValueRef src_or_byte,
                                LLVMValueRef size, bool is_volatile)
{
	LLVMTypeRef types[3] = {LLVMTypeOf(dst), LLVMTypeOf(src_or_byte), LLVMTypeOf(size)};
	LLVMValueRef args[4] = {dst, src_or_byte, size, LLVMConstInt(e->i1, is_volatile, false)};
	bool set = id == INTRINSIC_MEMSET;
	if (set)
		types[1] = types[2];
	return lower_intrinsic(e, id, types, set ? 2 : 3, args, 4);
}

/* Arguments of LLVM's memory intrinsics are not aligned unless they say so. */
static void set_argument_align(Lower *e, LLVMValueRef call, unsigned arg, uint64_t align)
{
	if (align > 1 && align <= UINT64_C(1) << 31)
		LLVMSetInstrParamAlignment(call, arg + 1, (unsigned)align);
	(void)e;
}

/* Arrays and records are stored by LLVM one part after the other: constants are copied,
 * or cleared, as a whole instead. */
static void store_constant(Lower *e, const IrOp *op, LLVMValueRef v, IrType *t)
{
	LLVMValueRef to = lower_operand(e, op, 1), call;
	LLVMValueRef size = LLVMConstInt(e->word, ir_type_size(t), false);
	bool is_volatile = ir_op_has(op, NAME_is_volatile_flag);
	if (LLVMIsUndef(v))
		return;
	if (LLVMIsNull(v)) {
		call = memory_call(e, INTRINSIC_MEMSET, to, LLVMConstNull(e->i8), size, is_volatile);
	} else {
		LLVMValueRef from = lower_constant_slot(e, v, t);
		call = memory_call(e, INTRINSIC_MEMCPY, to, from, size, is_volatile);
		set_argument_align(e, call, 1, ir_type_align(t));
	}
	set_argument_align(e, call, 0, align_of(op, NAME_alignment, t));
}

void lower_store(Lower *e, const IrOp *op)
{
	IrType *t = ir_operand(op, 0)->type;
	LLVMValueRef v = lower_operand(e, op, 0);
	if (!e->whole && (t->kind == TYPE_RECORD || t->kind == TYPE_ARRAY) && LLVMIsConstant(v)) {
		store_constant(e, op, v, t);
		return;
	}
	LLVMValueRef store = LLVMBuildStore(e->b, lower_to_access(e, v, t), lower_operand(e, op, 1));
	set_access(e, store, op, t);
	if (ir_op_has(op, NAME_nontemporal))
		set_nontemporal(e, store);
}

/* Copies */

static bool skips_padding(const IrOp *op)
{
	return ir_op_has(op, NAME_skip_tail_padding);
}

void lower_copy(Lower *e, const IrOp *op)
{
	IrType *t = pointee(op);
	if (!lower_memory_type(e, t))
		return;
	uint64_t size = skips_padding(op) ? ir_record_data_size(t) : ir_type_size(t);
	LLVMValueRef call =
	    memory_call(e, INTRINSIC_MEMCPY, lower_operand(e, op, 1), lower_operand(e, op, 0),
	                LLVMConstInt(e->word, size, false), ir_op_has(op, NAME_is_volatile_flag));
	set_argument_align(e, call, 0, align_of(op, NAME_dst_align, t));
	set_argument_align(e, call, 1, align_of(op, NAME_src_align, t));
}

static void copy_bytes(Lower *e, const IrOp *op, Intrinsic id)
{
	LLVMValueRef size = lower_resize(e, lower_operand(e, op, 0), false, e->word);
	LLVMValueRef call = memory_call(e, id, lower_operand(e, op, 2), lower_operand(e, op, 1), size, false);
	set_argument_align(e, call, 0, ir_op_uint(op, NAME_dst_align, 1));
	set_argument_align(e, call, 1, ir_op_uint(op, NAME_src_align, 1));
}

void lower_libc_memcpy(Lower *e, const IrOp *op)
{
	copy_bytes(e, op, INTRINSIC_MEMCPY);
}

void lower_libc_memmove(Lower *e, const IrOp *op)
{
	copy_bytes(e, op, INTRINSIC_MEMMOVE);
}

/* As in C, the value counts as an unsigned char. */
void lower_libc_memset(Lower *e, const IrOp *op)
{
	LLVMValueRef size = lower_resize(e, lower_operand(e, op, 0), false, e->word);
	LLVMValueRef byte = lower_resize(e, lower_operand(e, op, 2), false, e->i8);
	LLVMValueRef call = memory_call(e, INTRINSIC_MEMSET, lower_operand(e, op, 1), byte, size, false);
	set_argument_align(e, call, 0, ir_op_uint(op, NAME_alignment, 1));
}

/* Addresses */

void lower_get_global(Lower *e, const IrOp *op)
{
	LLVMValueRef v = lower_symbol_address_here(e, ir_op_symbol(op, NAME_symbol));
	if (v)
		lower_result(e, op, v);
}

void lower_ptr_stride(Lower *e, const IrOp *op)
{
	LLVMTypeRef type = lower_step_type(e, pointee(op));
	LLVMValueRef i =
	    lower_resize(e, lower_operand(e, op, 1), ir_operand(op, 1)->type->is_signed, e->word);
	unsigned flags = (ir_op_has(op, NAME_inbounds) ? LLVMGEPFlagInBounds | LLVMGEPFlagNUSW : 0) |
	                 (ir_op_has(op, NAME_nusw) ? LLVMGEPFlagNUSW : 0) |
	                 (ir_op_has(op, NAME_nuw) ? LLVMGEPFlagNUW : 0);
	if (type)
		lower_result(
		    e, op,
		    LLVMBuildGEPWithNoWrapFlags(e->b, type, lower_operand(e, op, 0), &i, 1, "", flags));
}

static uint64_t step_size(IrType *t)
{
	return t->kind == TYPE_VOID || t->kind == TYPE_FUNC ? 1 : ir_type_size(t);
}

void lower_ptr_diff(Lower *e, const IrOp *op)
{
	LLVMTypeRef type = lower_type(e, op->results[0].type);
	LLVMValueRef a = LLVMBuildPtrToInt(e->b, lower_operand(e, op, 0), e->word, "");
	LLVMValueRef b = LLVMBuildPtrToInt(e->b, lower_operand(e, op, 1), e->word, "");
	LLVMValueRef bytes = LLVMBuildSub(e->b, a, b, "");
	uint64_t size = step_size(pointee(op));
	if (!type)
		return;
	if (size > 1)
		bytes = LLVMBuildExactSDiv(e->b, bytes, LLVMConstInt(e->word, size, false), "");
	lower_result(e, op, lower_resize(e, bytes, true, type));
}

void lower_get_element(Lower *e, const IrOp *op)
{
	LLVMTypeRef type = lower_memory_type(e, pointee(op));
	LLVMValueRef i =
	    lower_resize(e, lower_operand(e, op, 1), ir_operand(op, 1)->type->is_signed, e->word);
	LLVMValueRef indices[2] = {LLVMConstNull(e->word), i};
	if (type)
		lower_result(e, op,
		             LLVMBuildInBoundsGEP2(e->b, type, lower_operand(e, op, 0), indices, 2, ""));
}
