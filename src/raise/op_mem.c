/* Memory and addresses. */
#include "raise/raiser.h"

/* Slots */

static bool is_in_entry(Raise *r, LLVMValueRef v)
{
	return LLVMGetInstructionParent(v) == LLVMGetEntryBasicBlock(r->function);
}

static bool is_one(LLVMValueRef v)
{
	return LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64 &&
	       LLVMConstIntGetZExtValue(v) == 1;
}

/* What is not in the entry block lives where it stands, and so has a size. It counts without a sign. */
void raise_alloca(Raise *r, LLVMValueRef v)
{
	size_t len;
	const char *name = LLVMGetValueName2(v, &len);
	IrType *t = raise_memory_type(r, LLVMGetAllocatedType(v));
	LLVMValueRef size = LLVMGetOperand(v, 0);
	IrValue *count = NULL;
	if (!t)
		return;
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(v))) {
		raise_error(r, "is not in the default address space");
		return;
	}
	if (!is_one(size) || !is_in_entry(r, v)) {
		unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(size));
		count = raise_use_as(r, size, ir_type_int(r->m, width, false, false));
		if (!count)
			return;
	}
	IrOp *op = raise_op(r, OP_ALLOCA, ir_type_ptr(r->m, t), &count, count != NULL);
	ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_name), ir_attr_string(r->m, (Str){name, len}));
	raise_align(r, op, v);
	raise_result(r, &op->results[0]);
}

/* Loads, stores, fences */

static bool set_order(Raise *r, IrOp *op, NameId name, LLVMAtomicOrdering order)
{
	unsigned word;
	switch (order) {
	case LLVMAtomicOrderingMonotonic:
		word = MEM_ORDER_RELAXED;
		break;
	case LLVMAtomicOrderingAcquire:
		word = MEM_ORDER_ACQUIRE;
		break;
	case LLVMAtomicOrderingRelease:
		word = MEM_ORDER_RELEASE;
		break;
	case LLVMAtomicOrderingAcquireRelease:
		word = MEM_ORDER_ACQ_REL;
		break;
	case LLVMAtomicOrderingSequentiallyConsistent:
		word = MEM_ORDER_SEQ_CST;
		break;
	default: /* unordered, which is weaker */
		word = MEM_ORDER_RELAXED;
	}
	ir_set_enum(r->m, op, name, ENUM_MEM_ORDER, word);
	return true;
}

/* always: the op asks for a scope. */
static void set_scope(Raise *r, IrOp *op, LLVMValueRef v, bool always)
{
	bool single = LLVMIsAtomicSingleThread(v);
	if (single || always)
		ir_set_enum(r->m, op, NAME_sync_scope, ENUM_SYNC_SCOPE,
		            single ? SYNC_SCOPE_SINGLE_THREAD : SYNC_SCOPE_SYSTEM);
}

static bool has_metadata(Raise *r, LLVMValueRef v, const char *kind)
{
	return LLVMHasMetadata(v) &&
	       LLVMGetMetadata(v, LLVMGetMDKindIDInContext(r->context, kind, (unsigned)strlen(kind)));
}

static void set_access(Raise *r, IrOp *op, LLVMValueRef v)
{
	raise_align(r, op, v);
	raise_flag(r, op, NAME_is_volatile_flag, LLVMGetVolatile(v));
	raise_flag(r, op, NAME_nontemporal, has_metadata(r, v, "nontemporal"));
	if (LLVMGetOrdering(v) == LLVMAtomicOrderingNotAtomic)
		return;
	set_order(r, op, NAME_mem_order, LLVMGetOrdering(v));
	set_scope(r, op, v, false);
}

/* The address of what has that type. */
static IrValue *address(Raise *r, LLVMValueRef v, IrType *t)
{
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(v));
	const IrAttr *in = space ? ir_attr_i64(r->m, space) : NULL;
	return t ? raise_use_as(r, v, ir_type_ptr_in(r->m, t, in)) : NULL;
}

void raise_load(Raise *r, LLVMValueRef v)
{
	IrType *t = raise_memory_type(r, LLVMTypeOf(v));
	IrValue *p = address(r, LLVMGetOperand(v, 0), t);
	if (!p)
		return;
	IrOp *op = raise_op(r, OP_LOAD, t, &p, 1);
	set_access(r, op, v);
	raise_flag(r, op, NAME_invariant, has_metadata(r, v, "invariant.load"));
	raise_result(r, &op->results[0]);
}

void raise_store(Raise *r, LLVMValueRef v)
{
	IrValue *x = raise_use_in_memory(r, LLVMGetOperand(v, 0));
	IrValue *p = x ? address(r, LLVMGetOperand(v, 1), x->type) : NULL;
	if (p)
		set_access(r, raise_op(r, OP_STORE, NULL, (IrValue *[]){x, p}, 2), v);
}

void raise_fence(Raise *r, LLVMValueRef v)
{
	IrOp *op = raise_op(r, OP_ATOMIC_FENCE, NULL, NULL, 0);
	set_order(r, op, NAME_mem_order, LLVMGetOrdering(v));
	set_scope(r, op, v, false);
}

/* Read, change and write */

void raise_rmw(Raise *r, LLVMValueRef v)
{
	LLVMAtomicRMWBinOp code = LLVMGetAtomicRMWBinOp(v);
	IrValue *x = raise_use_in_memory(r, LLVMGetOperand(v, 1));
	IrValue *p = x ? address(r, LLVMGetOperand(v, 0), x->type) : NULL;
	if (!p)
		return;
	IrOp *op = raise_op(r, OP_ATOMICRMW, x->type, (IrValue *[]){p, x}, 2);
	ir_set_enum(r->m, op, NAME_kind, ENUM_LLVM_RMW, code);
	set_order(r, op, NAME_mem_order, LLVMGetOrdering(v));
	set_scope(r, op, v, true);
	raise_align(r, op, v);
	raise_flag(r, op, NAME_is_volatile_flag, LLVMGetVolatile(v));
	raise_result(r, &op->results[0]);
}

void raise_cmpxchg(Raise *r, LLVMValueRef v)
{
	IrType *t = raise_memory_type(r, LLVMTypeOf(v));
	IrValue *old = raise_use_in_memory(r, LLVMGetOperand(v, 1));
	IrValue *new = raise_use_in_memory(r, LLVMGetOperand(v, 2));
	IrValue *p = old ? address(r, LLVMGetOperand(v, 0), old->type) : NULL;
	if (!p || !new || !t)
		return;
	IrOp *op = raise_op(r, OP_CMPXCHG, t, (IrValue *[]){p, old, new}, 3);
	set_order(r, op, NAME_succ_order, LLVMGetCmpXchgSuccessOrdering(v));
	set_order(r, op, NAME_fail_order, LLVMGetCmpXchgFailureOrdering(v));
	set_scope(r, op, v, true);
	raise_flag(r, op, NAME_weak, LLVMGetWeak(v));
	raise_align(r, op, v);
	raise_flag(r, op, NAME_is_volatile_flag, LLVMGetVolatile(v));
	raise_result(r, &op->results[0]);
}

/* Addresses */

void raise_gep(Raise *r, LLVMValueRef v)
{
	uint32_t n = (uint32_t)LLVMGetNumOperands(v);
	IrValue **operands = raise_array(&r->body, sizeof *operands, n);
	IrType *elem = raise_memory_type(r, LLVMGetGEPSourceElementType(v)),
	       *t = raise_type(r, LLVMTypeOf(v));
	unsigned flags = LLVMGEPGetNoWrapFlags(v);
	if (!elem || !t)
		return;
	for (uint32_t i = 0; i < n; i++)
		if (!(operands[i] = raise_use_in_memory(r, LLVMGetOperand(v, i))))
			return;
	IrOp *op = raise_op(r, OP_GEP, t, operands, n);
	ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_elem_type), ir_attr_type(r->m, elem));
	raise_flag(r, op, NAME_inbounds, flags & LLVMGEPFlagInBounds);
	raise_flag(r, op, NAME_nusw, (flags & LLVMGEPFlagNUSW) && !(flags & LLVMGEPFlagInBounds));
	raise_flag(r, op, NAME_nuw, flags & LLVMGEPFlagNUW);
	raise_result(r, &op->results[0]);
}

/* Variadic arguments */

/* Clang writes it where lists are addresses (Apple's AArch64); the target's convention says what it does (call/va_arg.c). */
void raise_va_arg(Raise *r, LLVMValueRef v)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
	if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) {
		raise_error(r, "reads a whole record; read its members");
		return;
	}
	IrType *t = raise_memory_type(r, LLVMTypeOf(v));
	IrValue *list = t ? address(r, LLVMGetOperand(v, 0), r->m->voidp) : NULL;
	if (list)
		raise_result(r, &raise_op(r, OP_VA_ARG, t, &list, 1)->results[0]);
}
