/* flatten/async.c: what may fault in the body of a `cir.try async` is an exception there: a terminator with an edge for it.
 *
 * 	%v = cir.load %p                circ.try_load %p ^normal, ^unwind
 *
 * Before the walk the ops are marked, each with the attribute `async`: all that stand in the body, in what is nested there (cleanups,
 * handlers and a finally of a try in it, too), but not in filters, which are functions of their own. An access to a variable of the
 * function cannot fault and stays what it is.
 *
 * A circ.try_load and a circ.try_store move what fits a general register of x86_64; all other values pass through a variable:
 *
 * 	%v = cir.load %p                circ.try_copy 16 bytes from %p to %slot ^normal, ^unwind
 * 	                                ^normal: %v = cir.load %slot
 *
 * An integer of 8, 16, 32 or 64 bits is divided by the instruction that traps. Any other first divides two integers of 64 bits that trap
 * where it would; each element of a vector for itself.
 *
 * Cost: ops, and elements of vectors that are divided.
 */
#include "flatten/internal.h"

#include "ir/async.h"
#include "ir/layout.h"
#include "ir/try.h"

/* Marking */

void flatten_mark_async(Flatten *f)
{
	PtrMap known = {0};
	bool any = false;
	for (IrOp *op = ir_walk_first(&f->func->regions[0]); op;
	     op = ir_walk_next(op, &f->func->regions[0])) {
		any |= op->kind == OP_TRY && ir_op_has(op, NAME_async);
		if (any && ir_async_kind(op) == ASYNC_RAISES && ir_is_async(f->mem, &known, op))
			ir_set_flag(f->m, op, NAME_async);
	}
}

/* Building */

/* Where nothing here sees the exception the caller may: without an edge the op would be one that LLVM may move or delete, and whose fault
 * is nobody's. */
static IrBlock *unwind_block(Flatten *f, const IrOp *op)
{
	IrBlock *unwind = eh_unwind_block(f, op);
	if (unwind || f->async_resume)
		return unwind ? unwind : f->async_resume;
	f->async_resume = flatten_block(f, op);
	IrBuilder b = ir_at_end(f->m, f->async_resume, op->loc);
	IrOp *initiate = ir_build(&b, OP_EH_INITIATE, ir_type_simple(f->m, TYPE_EH_TOKEN), NULL, 0);
	IrValue *token = &initiate->results[0];
	ir_set_flag(f->m, initiate, NAME_cleanup);
	ir_build(&b, OP_RESUME, NULL, &token, 1);
	vec_push(f->mem, &f->cold_blocks, f->async_resume);
	return f->async_resume;
}

typedef struct Async {
	Flatten *f;
	const IrOp *op;
} Async;

static IrOp *build_try(const Async *a, OpKind kind, IrType *result, IrValue *const *operands, uint32_t n)
{
	Flatten *f = a->f;
	IrBuilder b = flatten_here(f, a->op);
	IrBlock *normal = flatten_block(f, a->op);
	IrSuccSpec succs[] = {{.dest = normal}, {.dest = unwind_block(f, a->op)}};
	IrOp *made = ir_build_spec(&b, &(IrOpSpec){.kind = kind,
	                                           .operands = operands,
	                                           .noperands = n,
	                                           .result_types = &result,
	                                           .nresults = result != NULL,
	                                           .succs = succs,
	                                           .nsuccs = ARRAY_LEN(succs)});
	f->at = NULL;
	flatten_place(f, normal);
	return made;
}

static IrValue *cast_pointer(const Async *a, IrValue *p, IrType *pointee)
{
	IrBuilder b = flatten_here(a->f, a->op);
	return ir_build_bitcast(&b, p, ir_type_ptr(a->f->m, pointee));
}

/* One for each type: what it holds is used at once. */
static IrValue *slot_of(const Async *a, IrType *type)
{
	Flatten *f = a->f;
	IrValue *slot = ptrmap_get(&f->async_slots, type);
	if (slot)
		return slot;
	slot = flatten_entry_alloca(f, type, STR("__async"), a->op->loc);
	ptrmap_put(f->mem, &f->async_slots, type, slot);
	return slot;
}

static void build_copy(const Async *a, IrValue *size, IrValue *from, IrValue *to)
{
	IrValue *operands[] = {size, from, to};
	build_try(a, OP_TRY_COPY, NULL, operands, ARRAY_LEN(operands));
}

static IrValue *bytes(const Async *a, uint64_t n)
{
	IrBuilder b = flatten_here(a->f, a->op);
	return ir_build_const_int(&b, a->f->m->u64, n);
}

/* Loads and stores */

static IrValue *load_value(const Async *a, IrValue *p, IrType *type)
{
	Flatten *f = a->f;
	IrBuilder b;
	if (ir_async_is_register(type))
		return &build_try(a, OP_TRY_LOAD, type, &p, 1)->results[0];
	if (type->kind == TYPE_BOOL) {
		IrValue *byte = cast_pointer(a, p, f->m->u8);
		IrValue *v = &build_try(a, OP_TRY_LOAD, f->m->u8, &byte, 1)->results[0];
		b = flatten_here(f, a->op);
		return ir_build_cast(&b, CAST_INT_TO_BOOL, v, type);
	}
	IrValue *slot = slot_of(a, type);
	build_copy(a, bytes(a, ir_async_size(type)), p, slot);
	b = flatten_here(f, a->op);
	return ir_build_load(&b, slot);
}

static void store_value(const Async *a, IrValue *v, IrValue *p)
{
	Flatten *f = a->f;
	IrBuilder b = flatten_here(f, a->op);
	IrValue *operands[] = {v, p};
	if (v->type->kind == TYPE_BOOL) {
		operands[0] = ir_build_cast(&b, CAST_BOOL_TO_INT, v, f->m->u8);
		operands[1] = cast_pointer(a, p, f->m->u8);
	}
	if (ir_async_is_register(operands[0]->type)) {
		build_try(a, OP_TRY_STORE, NULL, operands, ARRAY_LEN(operands));
		return;
	}
	IrValue *slot = slot_of(a, v->type);
	ir_build_store(&b, v, slot);
	build_copy(a, bytes(a, ir_async_size(v->type)), slot, p);
}

/* Atomic accesses are plain ones, which no processor divides, and fences, which cost nothing where all accesses acquire and release. */

static void fence(const Async *a, unsigned order)
{
	IrBuilder b = flatten_here(a->f, a->op);
	IrOp *op = ir_build(&b, OP_ATOMIC_FENCE, NULL, NULL, 0);
	ir_set_enum(a->f->m, op, NAME_mem_order, ENUM_MEM_ORDER, order);
}

static unsigned order_of(const IrOp *op)
{
	return ir_op_enum(op, NAME_mem_order, MEM_ORDER_RELAXED);
}

static void async_load(const Async *a, IrOp *op)
{
	IrValue *v = load_value(a, ir_operand(op, 0), op->results[0].type);
	if (order_of(op) != MEM_ORDER_RELAXED)
		fence(a, MEM_ORDER_ACQUIRE);
	flatten_replace_result(a->f, op, v);
}

/* A sequentially consistent store is in front of all loads that follow. */
static void async_store(const Async *a, IrOp *op)
{
	unsigned order = order_of(op);
	if (order != MEM_ORDER_RELAXED)
		fence(a, MEM_ORDER_RELEASE);
	store_value(a, ir_operand(op, 0), ir_operand(op, 1));
	if (order == MEM_ORDER_SEQ_CST)
		fence(a, MEM_ORDER_SEQ_CST);
}

/* Copies */

static IrValue *as_u64(const Async *a, IrValue *n)
{
	IrBuilder b = flatten_here(a->f, a->op);
	return n->type == a->f->m->u64 ? n : ir_build_cast(&b, CAST_INTEGRAL, n, a->f->m->u64);
}

static void async_copy(const Async *a, IrOp *op)
{
	IrType *type = ir_operand(op, 0)->type->elem;
	bool skips = ir_op_has(op, NAME_skip_tail_padding);
	uint64_t size = skips ? ir_record_data_size(type) : ir_type_size(type);
	build_copy(a, bytes(a, size), ir_operand(op, 0), ir_operand(op, 1));
}

static void async_copy_bytes(const Async *a, IrOp *op)
{
	if (op->kind == OP_LIBC_MEMCPY)
		build_copy(a, as_u64(a, ir_operand(op, 0)), ir_operand(op, 1), ir_operand(op, 2));
	else
		build_copy(a, bytes(a, ir_op_uint(op, NAME_len, 0)), ir_operand(op, 0), ir_operand(op, 1));
}

static void async_set(const Async *a, IrOp *op)
{
	bool is_call = op->kind == OP_LIBC_MEMSET;
	IrValue *size = is_call ? as_u64(a, ir_operand(op, 0)) : bytes(a, ir_op_uint(op, NAME_len, 0));
	IrValue *operands[] = {size, ir_operand(op, is_call), ir_operand(op, is_call + 1U)};
	build_try(a, OP_TRY_SET, NULL, operands, ARRAY_LEN(operands));
}

/* Bit-fields: their storage passes through a variable. */

static void async_bitfield(const Async *a, IrOp *op)
{
	Flatten *f = a->f;
	IrType *storage = ir_op_attr(op, NAME_bitfield_info)->elems[BITFIELD_INFO_STORAGE_TYPE]->type;
	IrValue *p = ir_operand(op, 0), *slot = slot_of(a, storage);
	build_copy(a, bytes(a, ir_type_size(storage)), p, slot);
	IrBuilder b = flatten_here(f, a->op);
	IrOpSpec spec = ir_op_spec(op, f->mem);
	IrValue **operands = arena_array(f->mem, IrValue *, op->noperands);
	for (uint32_t i = 0; i < op->noperands; i++)
		operands[i] = ir_operand(op, i);
	operands[0] = ir_build_bitcast(&b, slot, p->type);
	spec.operands = operands;
	IrOp *made = ir_build_spec(&b, &spec);
	ir_op_set_attr(f->m, made, ir_known_name(f->m, NAME_async), NULL);
	ir_op_set_attr(f->m, made, ir_known_name(f->m, NAME_alignment), NULL);
	flatten_replace_result(f, op, &made->results[0]);
	if (op->kind == OP_SET_BITFIELD)
		build_copy(a, bytes(a, ir_type_size(storage)), slot, p);
}

/* Division */

static IrValue *binary(IrBuilder *b, OpKind kind, IrValue *x, IrValue *y)
{
	IrValue *operands[] = {x, y};
	return &ir_build(b, kind, x->type, operands, 2)->results[0];
}

static IrValue *choose(IrBuilder *b, IrValue *condition, IrValue *x, IrValue *y)
{
	IrValue *operands[] = {condition, x, y};
	return &ir_build(b, OP_SELECT, x->type, operands, 3)->results[0];
}

/* Is x the least integer of its type, and y -1? The least one is its own negative. */
static IrValue *overflows(IrBuilder *b, IrValue *x, IrValue *y)
{
	IrValue *zero = ir_build_const_int(b, x->type, 0), *one = ir_build_const_int(b, x->type, 1);
	IrValue *least = binary(b, OP_AND, ir_build_cmp(b, CMP_EQ, x, binary(b, OP_SUB, zero, x)),
	                        ir_build_cmp(b, CMP_NE, x, zero));
	return binary(b, OP_AND, least, ir_build_cmp(b, CMP_EQ, binary(b, OP_ADD, y, one), zero));
}

/* Divides integers of 64 bits that trap where x / y would. */
static void trap(const Async *a, IrValue *x, IrValue *y)
{
	IrModule *m = a->f->m;
	IrBuilder b = flatten_here(a->f, a->op);
	IrValue *zero = ir_build_const_int(&b, m->s64, 0), *one = ir_build_const_int(&b, m->s64, 1);
	IrValue *divided = one, *divisor = one;
	if (x->type->is_signed) {
		IrValue *over = overflows(&b, x, y);
		divided = choose(&b, over, ir_build_const_int(&b, m->s64, UINT64_C(1) << 63), one);
		divisor = choose(&b, over, ir_build_const_int(&b, m->s64, UINT64_MAX), one);
	}
	IrValue *by_zero = ir_build_cmp(&b, CMP_EQ, y, ir_build_const_int(&b, y->type, 0));
	IrValue *operands[] = {divided, choose(&b, by_zero, zero, divisor)};
	build_try(a, OP_TRY_DIV, m->s64, operands, 2);
}

static IrValue *divide(const Async *a, IrValue *x, IrValue *y)
{
	bool div = a->op->kind == OP_DIV;
	IrValue *operands[] = {x, y};
	if (ir_async_is_register(x->type))
		return &build_try(a, div ? OP_TRY_DIV : OP_TRY_REM, x->type, operands, 2)->results[0];
	trap(a, x, y);
	IrBuilder b = flatten_here(a->f, a->op);
	return binary(&b, a->op->kind, x, y);
}

static IrValue *element(const Async *a, IrValue *vector, uint64_t i)
{
	IrBuilder b = flatten_here(a->f, a->op);
	IrValue *operands[] = {vector, ir_build_const_int(&b, a->f->m->s64, i)};
	return &ir_build(&b, OP_VEC_EXTRACT, vector->type->elem, operands, 2)->results[0];
}

static void async_divide(const Async *a, IrOp *op)
{
	IrValue *x = ir_operand(op, 0), *y = ir_operand(op, 1), *v;
	if (x->type->kind == TYPE_VECTOR) {
		uint32_t n = (uint32_t)x->type->count;
		IrValue **elements = arena_array(a->f->mem, IrValue *, n);
		for (uint32_t i = 0; i < n; i++)
			elements[i] = divide(a, element(a, x, i), element(a, y, i));
		IrBuilder b = flatten_here(a->f, a->op);
		v = &ir_build(&b, OP_VEC_CREATE, x->type, elements, n)->results[0];
	} else {
		v = divide(a, x, y);
	}
	flatten_replace_result(a->f, op, v);
}

/* The walk */

static void (*lowering_of(const IrOp *op))(const Async *, IrOp *)
{
	switch (op->kind) {
	case OP_LOAD:
		return async_load;
	case OP_STORE:
		return async_store;
	case OP_COPY:
		return async_copy;
	case OP_LIBC_MEMCPY:
	case OP_MEMCPY_INLINE:
		return async_copy_bytes;
	case OP_LIBC_MEMSET:
	case OP_MEMSET_INLINE:
		return async_set;
	case OP_GET_BITFIELD:
	case OP_SET_BITFIELD:
		return async_bitfield;
	default:
		CHECK(op->kind == OP_DIV || op->kind == OP_REM);
		return async_divide;
	}
}

void flatten_maybe_async(Flatten *f, IrOp *op)
{
	if (!ir_op_has(op, NAME_async)) {
		flatten_append(f, op);
		return;
	}
	ir_op_set_attr(f->m, op, ir_known_name(f->m, NAME_async), NULL);
	Async a = {f, op};
	lowering_of(op)(&a, op);
	ir_op_erase(op);
}
