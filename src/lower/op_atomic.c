/* Atomics (cir-reference 5.17).
 *
 * Updates that LLVM does not have are loops:
 *
 *	  %first = load atomic T, ptr %p monotonic
 *	  br label %again
 *	again:
 *	  %old = phi T [ %first, … ], [ %seen, %again ]
 *	  %new = … %old, %v
 *	  %pair = cmpxchg ptr %p, %old, %new ORDER FAILURE       (as integers)
 *	  br i1 (the second of %pair), label %done, label %again
 */
#include "lower/lowerer.h"

#include "ir/layout.h"

LLVMAtomicOrdering lower_ordering(const IrOp *op, NameId name)
{
	static const LLVMAtomicOrdering orders[] = {
	    [MEM_ORDER_RELAXED] = LLVMAtomicOrderingMonotonic,
	    [MEM_ORDER_CONSUME] = LLVMAtomicOrderingAcquire,
	    [MEM_ORDER_ACQUIRE] = LLVMAtomicOrderingAcquire,
	    [MEM_ORDER_RELEASE] = LLVMAtomicOrderingRelease,
	    [MEM_ORDER_ACQ_REL] = LLVMAtomicOrderingAcquireRelease,
	    [MEM_ORDER_SEQ_CST] = LLVMAtomicOrderingSequentiallyConsistent,
	};
	return orders[ir_op_enum(op, name, MEM_ORDER_SEQ_CST)];
}

bool lower_single_thread(const IrOp *op)
{
	return ir_op_enum(op, NAME_sync_scope, SYNC_SCOPE_SYSTEM) == SYNC_SCOPE_SINGLE_THREAD;
}

/* The flags of an access, and its alignment: what is said, or that of its bytes, which
 * lock-free instructions want. */
static LLVMValueRef access(Lower *e, const IrOp *op, LLVMValueRef v, IrType *t)
{
	uint64_t align = ir_op_uint(op, NAME_alignment, 0);
	lower_alignment(e, v, align ? align : ir_type_align(t));
	LLVMSetVolatile(v, ir_op_has(op, NAME_is_volatile_flag));
	return v;
}

/* A value as cmpxchg takes it: an integer or a pointer. */
static LLVMTypeRef exchanged_type(Lower *e, LLVMTypeRef access_type, const IrType *t)
{
	return ir_is_float(t) ? lower_int_type(e, ir_float_width(t)) : access_type;
}

static LLVMValueRef bits(Lower *e, LLVMValueRef v, LLVMTypeRef type)
{
	return LLVMTypeOf(v) == type ? v : LLVMBuildBitCast(e->b, v, type, "");
}

void lower_atomic_xchg(Lower *e, const IrOp *op)
{
	IrType *t = op->results[0].type;
	LLVMValueRef v = lower_to_access(e, lower_operand(e, op, 1), t);
	LLVMValueRef old = LLVMBuildAtomicRMW(e->b, LLVMAtomicRMWBinOpXchg, lower_operand(e, op, 0), v,
	                                      lower_ordering(op, NAME_mem_order), lower_single_thread(op));
	lower_result(e, op, lower_from_access(e, access(e, op, old, t), t));
}

void lower_atomic_cmpxchg(Lower *e, const IrOp *op)
{
	IrType *t = op->results[0].type;
	LLVMTypeRef loaded = lower_access_type(e, t);
	if (!loaded)
		return;
	LLVMTypeRef type = exchanged_type(e, loaded, t);
	LLVMValueRef v[2];
	for (uint32_t i = 0; i < 2; i++)
		v[i] = bits(e, lower_to_access(e, lower_operand(e, op, i + 1), t), type);
	LLVMValueRef pair = LLVMBuildAtomicCmpXchg(
	    e->b, lower_operand(e, op, 0), v[0], v[1], lower_ordering(op, NAME_succ_order),
	    lower_ordering(op, NAME_fail_order), lower_single_thread(op));
	LLVMSetWeak(access(e, op, pair, t), ir_op_has(op, NAME_weak));
	LLVMValueRef old = bits(e, LLVMBuildExtractValue(e->b, pair, 0, ""), loaded);
	e->values[op->results[0].id] = lower_from_access(e, old, t);
	e->values[op->results[1].id] = LLVMBuildExtractValue(e->b, pair, 1, "");
}

/* Updates */

typedef struct Update {
	LLVMAtomicRMWBinOp ints[2], floats; /* by signedness; of floats: none is Xchg */
	bool loops;                         /* LLVM has none */
} Update;

static const Update updates[] = {
    [ATOMIC_FETCH_ADD] = {{LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd}, LLVMAtomicRMWBinOpFAdd, false},
    [ATOMIC_FETCH_SUB] = {{LLVMAtomicRMWBinOpSub, LLVMAtomicRMWBinOpSub}, LLVMAtomicRMWBinOpFSub, false},
    [ATOMIC_FETCH_AND] = {{LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd}, 0, false},
    [ATOMIC_FETCH_XOR] = {{LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor}, 0, false},
    [ATOMIC_FETCH_OR] = {{LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr}, 0, false},
    [ATOMIC_FETCH_NAND] = {{LLVMAtomicRMWBinOpNand, LLVMAtomicRMWBinOpNand}, 0, false},
    [ATOMIC_FETCH_MAX] = {{LLVMAtomicRMWBinOpUMax, LLVMAtomicRMWBinOpMax}, LLVMAtomicRMWBinOpFMax, false},
    [ATOMIC_FETCH_MIN] = {{LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpMin}, LLVMAtomicRMWBinOpFMin, false},
    [ATOMIC_FETCH_UINC_WRAP] = {{LLVMAtomicRMWBinOpUIncWrap, LLVMAtomicRMWBinOpUIncWrap}, 0, false},
    [ATOMIC_FETCH_UDEC_WRAP] = {{LLVMAtomicRMWBinOpUDecWrap, LLVMAtomicRMWBinOpUDecWrap}, 0, false},
    [ATOMIC_FETCH_MAXIMUM] = {.loops = true},
    [ATOMIC_FETCH_MINIMUM] = {.loops = true},
    [ATOMIC_FETCH_MAXIMUM_NUM] = {.loops = true},
    [ATOMIC_FETCH_MINIMUM_NUM] = {.loops = true},
};

static LLVMValueRef call2(Lower *e, Intrinsic id, LLVMValueRef a, LLVMValueRef b)
{
	LLVMTypeRef type = LLVMTypeOf(a);
	LLVMValueRef args[2] = {a, b};
	return lower_intrinsic(e, id, &type, 1, args, 2);
}

/* The number where one is NaN, else as maximum and minimum have it. */
static LLVMValueRef number_of(Lower *e, bool max, LLVMValueRef a, LLVMValueRef b, const IrType *t)
{
	LLVMValueRef a_nan = LLVMBuildFCmp(e->b, LLVMRealUNO, a, a, "");
	LLVMValueRef b_nan = LLVMBuildFCmp(e->b, LLVMRealUNO, b, b, "");
	LLVMValueRef v = lower_maximum(e, max, a, b, t);
	v = LLVMBuildSelect(e->b, b_nan, a, v, "");
	return LLVMBuildSelect(e->b, LLVMBuildAnd(e->b, a_nan, LLVMBuildNot(e->b, b_nan, ""), ""), b, v, "");
}

/* old >= v ? 0 : old + 1 */
static LLVMValueRef inc_wrap(Lower *e, LLVMValueRef old, LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);
	LLVMValueRef next = LLVMBuildAdd(e->b, old, lower_int(type, 1), "");
	LLVMValueRef wraps = LLVMBuildICmp(e->b, LLVMIntUGE, old, v, "");
	return LLVMBuildSelect(e->b, wraps, LLVMConstNull(type), next, "");
}

/* old == 0 || old > v ? v : old - 1 */
static LLVMValueRef dec_wrap(Lower *e, LLVMValueRef old, LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);
	LLVMValueRef next = LLVMBuildSub(e->b, old, lower_int(type, 1), "");
	LLVMValueRef zero = LLVMBuildICmp(e->b, LLVMIntEQ, old, LLVMConstNull(type), "");
	LLVMValueRef wraps = LLVMBuildOr(e->b, zero, LLVMBuildICmp(e->b, LLVMIntUGT, old, v, ""), "");
	return LLVMBuildSelect(e->b, wraps, v, next, "");
}

static LLVMValueRef max_min(Lower *e, bool max, LLVMValueRef a, LLVMValueRef b, const IrType *t)
{
	if (ir_is_float(t))
		return call2(e, max ? INTRINSIC_MAXNUM : INTRINSIC_MINNUM, a, b);
	if (t->is_signed)
		return call2(e, max ? INTRINSIC_SMAX : INTRINSIC_SMIN, a, b);
	return call2(e, max ? INTRINSIC_UMAX : INTRINSIC_UMIN, a, b);
}

/* What the update makes of `old`. */
static LLVMValueRef updated(Lower *e, unsigned kind, LLVMValueRef old, LLVMValueRef v, const IrType *t)
{
	bool is_float = ir_is_float(t);
	switch (kind) {
	case ATOMIC_FETCH_ADD:
		return is_float ? LLVMBuildFAdd(e->b, old, v, "") : LLVMBuildAdd(e->b, old, v, "");
	case ATOMIC_FETCH_SUB:
		return is_float ? LLVMBuildFSub(e->b, old, v, "") : LLVMBuildSub(e->b, old, v, "");
	case ATOMIC_FETCH_AND:
		return LLVMBuildAnd(e->b, old, v, "");
	case ATOMIC_FETCH_XOR:
		return LLVMBuildXor(e->b, old, v, "");
	case ATOMIC_FETCH_OR:
		return LLVMBuildOr(e->b, old, v, "");
	case ATOMIC_FETCH_NAND:
		return LLVMBuildNot(e->b, LLVMBuildAnd(e->b, old, v, ""), "");
	case ATOMIC_FETCH_MAX:
	case ATOMIC_FETCH_MIN:
		return max_min(e, kind == ATOMIC_FETCH_MAX, old, v, t);
	case ATOMIC_FETCH_UINC_WRAP:
		return inc_wrap(e, old, v);
	case ATOMIC_FETCH_UDEC_WRAP:
		return dec_wrap(e, old, v);
	case ATOMIC_FETCH_MAXIMUM:
	case ATOMIC_FETCH_MINIMUM:
		return lower_maximum(e, kind == ATOMIC_FETCH_MAXIMUM, old, v, t);
	default:
		CHECK(kind == ATOMIC_FETCH_MAXIMUM_NUM || kind == ATOMIC_FETCH_MINIMUM_NUM);
		return number_of(e, kind == ATOMIC_FETCH_MAXIMUM_NUM, old, v, t);
	}
}

static LLVMBasicBlockRef block_behind(Lower *e, LLVMBasicBlockRef block)
{
	LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(e->context, e->function, "");
	LLVMMoveBasicBlockAfter(next, block);
	return next;
}

/* A failed exchange reads: what it may not order is left out. */
static LLVMAtomicOrdering failure_order(LLVMAtomicOrdering order)
{
	if (order == LLVMAtomicOrderingAcquireRelease)
		return LLVMAtomicOrderingAcquire;
	return order == LLVMAtomicOrderingRelease ? LLVMAtomicOrderingMonotonic : order;
}

static LLVMValueRef first_look(Lower *e, const IrOp *op, LLVMTypeRef type, IrType *t)
{
	LLVMValueRef v = access(e, op, LLVMBuildLoad2(e->b, type, lower_operand(e, op, 0), ""), t);
	LLVMSetOrdering(v, LLVMAtomicOrderingMonotonic);
	LLVMSetAtomicSingleThread(v, lower_single_thread(op));
	return v;
}

/* The loop at the head of this file; gives the old value. */
static LLVMValueRef update_loop(Lower *e, const IrOp *op, unsigned kind, LLVMValueRef v, IrType *t)
{
	LLVMTypeRef type = LLVMTypeOf(v), number = exchanged_type(e, type, t);
	LLVMAtomicOrdering order = lower_ordering(op, NAME_mem_order);
	LLVMValueRef first = first_look(e, op, number, t);
	LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
	LLVMBasicBlockRef again = block_behind(e, here), done = block_behind(e, again);
	LLVMBuildBr(e->b, again);
	LLVMPositionBuilderAtEnd(e->b, again);
	LLVMValueRef seen = LLVMBuildPhi(e->b, number, "");
	LLVMValueRef old = bits(e, seen, type);
	LLVMValueRef next = bits(e, updated(e, kind, old, v, t), number);
	LLVMValueRef pair = LLVMBuildAtomicCmpXchg(e->b, lower_operand(e, op, 0), seen, next, order,
	                                           failure_order(order), lower_single_thread(op));
	LLVMValueRef found = LLVMBuildExtractValue(e->b, access(e, op, pair, t), 0, "");
	LLVMBuildCondBr(e->b, LLVMBuildExtractValue(e->b, pair, 1, ""), done, again);
	LLVMAddIncoming(seen, &first, &here, 1);
	LLVMAddIncoming(seen, &found, &again, 1);
	LLVMPositionBuilderAtEnd(e->b, done);
	return old;
}

void lower_atomic_fetch(Lower *e, const IrOp *op)
{
	IrType *t = op->results[0].type;
	unsigned kind = ir_op_enum(op, NAME_binop, ATOMIC_FETCH_ADD);
	const Update *u = &updates[kind];
	LLVMValueRef v = lower_operand(e, op, 1), old;
	if (u->loops) {
		old = update_loop(e, op, kind, v, t);
	} else {
		LLVMAtomicRMWBinOp code = ir_is_float(t) ? u->floats : u->ints[t->is_signed];
		old = LLVMBuildAtomicRMW(e->b, code, lower_operand(e, op, 0), v,
		                         lower_ordering(op, NAME_mem_order), lower_single_thread(op));
		access(e, op, old, t);
	}
	lower_result(e, op, ir_op_has(op, NAME_fetch_first) ? old : updated(e, kind, old, v, t));
}

/* Flags and fences */

void lower_atomic_test_and_set(Lower *e, const IrOp *op)
{
	LLVMValueRef one = LLVMConstInt(e->i8, 1, false);
	LLVMValueRef old = LLVMBuildAtomicRMW(e->b, LLVMAtomicRMWBinOpXchg, lower_operand(e, op, 0), one,
	                                      lower_ordering(op, NAME_mem_order), false);
	access(e, op, old, ir_operand(op, 0)->type->elem);
	lower_result(e, op, LLVMBuildICmp(e->b, LLVMIntNE, old, LLVMConstNull(e->i8), ""));
}

void lower_atomic_clear(Lower *e, const IrOp *op)
{
	LLVMValueRef store = LLVMBuildStore(e->b, LLVMConstNull(e->i8), lower_operand(e, op, 0));
	access(e, op, store, ir_operand(op, 0)->type->elem);
	LLVMSetOrdering(store, lower_ordering(op, NAME_mem_order));
}

/* A relaxed fence orders nothing, and LLVM has none. */
void lower_atomic_fence(Lower *e, const IrOp *op)
{
	LLVMAtomicOrdering order = lower_ordering(op, NAME_mem_order);
	if (order != LLVMAtomicOrderingMonotonic)
		LLVMBuildFence(e->b, order, lower_single_thread(op), "");
}
