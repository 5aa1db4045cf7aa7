/* System V ABI, AMD64 supplement, 3.5.7: the list is { u32 gp_offset, u32 fp_offset, ptr
 * overflow_arg_area, ptr reg_save_area }. The callee has saved six integer registers of 8
 * bytes and eight vector registers of 16:
 *
 * 	  if (gp_offset <= 48 - 8 * ints && fp_offset <= 176 - 16 * floats) ^saved else ^memory
 * 	^saved:
 * 	  at = reg_save_area + gp_offset (or fp_offset); gp_offset += 8 * ints; fp_offset += 16 * floats
 * 	^memory:
 * 	  at = overflow_arg_area, aligned; overflow_arg_area = at + size, in steps of 8
 * 	^rest(at):
 * 	  load at
 *
 * What lies in registers of both kinds, or in two vector registers, is put together in a slot first.
 *
 * Microsoft x64: the list is a pointer to slots of 8 bytes; what is larger, or of another size than 1, 2, 4
 * or 8, is behind a pointer in its slot.
 */
#include "call/va_arg.h"

#include "base/vec.h"
#include "call/va_arg_internal.h"
#include "ir/function_entry.h"
#include "ir/layout.h"

enum {
	GP_OFFSET = 0,
	FP_OFFSET = 4,
	OVERFLOW_AREA = 8,
	SAVE_AREA = 16,
	GP_SIZE = 8,
	FP_SIZE = 16,
	GP_END = 6 * GP_SIZE,
	FP_END = GP_END + 8 * FP_SIZE,
	STACK_SLOT = 8,
};

typedef VEC(IrOp *) OpList;

/* System V */

/* Is there room for `n` more registers of one kind? */
static IrValue *has_room(const VaArg *a, IrBuilder *b, uint64_t offset, uint32_t end, uint32_t size,
                         uint32_t n)
{
	IrValue *used = ir_build_load(b, va_field(a, b, offset, b->m->u32));
	return ir_build_cmp(b, CMP_LE, used, va_number(b, b->m->u32, end - n * size));
}

/* Takes n registers: the offset of the first. */
static IrValue *take(const VaArg *a, IrBuilder *b, uint64_t offset, uint32_t size, uint32_t n)
{
	if (!n)
		return NULL;
	IrValue *p = va_field(a, b, offset, b->m->u32), *old = ir_build_load(b, p);
	ir_build_store(b, va_binary(b, OP_ADD, old, va_number(b, b->m->u32, n * size)), p);
	return old;
}

static bool is_float_piece(const IrType *t)
{
	return ir_is_float(t) || t->kind == TYPE_VECTOR;
}

/* The pieces of the value, from registers of both kinds, or each from a vector register, go to a slot. */
static IrValue *assemble(const VaArg *a, IrBuilder *b, IrValue *area, IrValue *gp, IrValue *fp)
{
	IrValue *slot = va_slot(a);
	uint64_t to = a->passing.offset, floats = 0;
	for (unsigned i = 0; i < a->passing.npieces; i++) {
		IrType *t = a->passing.pieces[i];
		bool is_float = is_float_piece(t);
		IrValue *from = is_float ? va_step(b, area, fp, b->m->u8) : va_step(b, area, gp, b->m->u8);
		uint64_t skip = is_float ? FP_SIZE * floats++ : 0;
		from = va_step(b, from, va_number(b, b->m->u64, skip), t);
		IrValue *at = va_step(b, slot, va_number(b, b->m->u64, to), t);
		ir_build_store(b, va_load(b, from, GP_SIZE), at);
		to = GP_SIZE;
	}
	return slot;
}

static IrValue *from_registers(const VaArg *a, IrBuilder *b)
{
	const AbiPassing *p = &a->passing;
	IrValue *area = ir_build_load(b, va_field(a, b, SAVE_AREA, b->m->voidp));
	IrValue *gp = take(a, b, GP_OFFSET, GP_SIZE, p->ints),
	        *fp = take(a, b, FP_OFFSET, FP_SIZE, p->floats);
	bool one_run = !fp || (!gp && p->floats == 1);
	if (!one_run || p->offset)
		return assemble(a, b, area, gp, fp);
	return va_step(b, area, gp ? gp : fp, a->type);
}

static IrValue *from_memory(const VaArg *a, IrBuilder *b, uint64_t size, uint64_t align)
{
	IrValue *p = va_field(a, b, OVERFLOW_AREA, b->m->voidp), *at = ir_build_load(b, p);
	if (align > STACK_SLOT)
		at = va_align(b, at, align);
	uint64_t used = (size + STACK_SLOT - 1) / STACK_SLOT * STACK_SLOT;
	ir_build_store(b, va_step(b, at, va_number(b, b->m->u64, used), ir_type_simple(b->m, TYPE_VOID)), p);
	return ir_build_bitcast(b, at, ir_type_ptr(b->m, a->type));
}

static IrValue *choose(VaArg *a, uint64_t size, uint64_t align)
{
	abi_entry_keep_variables(a->op);
	IrBlock *start = a->op->block, *rest = ir_block_split(a->m, start, a->op->next, a->op->loc);
	IrBlock *saved = ir_block_create(a->m, a->op->loc), *memory = ir_block_create(a->m, a->op->loc);
	ir_block_insert_after(start, saved);
	ir_block_insert_after(saved, memory);
	IrValue *at = ir_block_add_arg(a->m, rest, ir_type_ptr(a->m, a->type)), *fits = NULL;
	IrBuilder b = ir_at_end(a->m, start, a->op->loc);
	if (a->passing.ints)
		fits = has_room(a, &b, GP_OFFSET, GP_END, GP_SIZE, a->passing.ints);
	if (a->passing.floats) {
		IrValue *more = has_room(a, &b, FP_OFFSET, FP_END, FP_SIZE, a->passing.floats);
		fits = fits ? va_binary(&b, OP_AND, fits, more) : more;
	}
	ir_build_brcond(&b, fits, (IrSuccSpec){.dest = saved}, (IrSuccSpec){.dest = memory});
	b = ir_at_end(a->m, saved, a->op->loc);
	IrValue *from = from_registers(a, &b);
	ir_build_br(&b, rest, &from, 1);
	b = ir_at_end(a->m, memory, a->op->loc);
	from = from_memory(a, &b, size, align);
	ir_build_br(&b, rest, &from, 1);
	return at;
}

/* Where the argument is; types: its own, or the pointer to it */
static IrValue *locate(VaArg *a, IrBuilder *b, uint64_t size, uint64_t align)
{
	if (!a->passing.ints && !a->passing.floats)
		return from_memory(a, b, size, align);
	IrValue *at = choose(a, size, align);
	IrBlock *rest = at->def.block;
	*b = rest->first ? ir_before(a->m, rest->first) : ir_at_end(a->m, rest, a->op->loc);
	b->loc = a->op->loc;
	return at;
}

static void lower_sysv(VaArg *a)
{
	IrType *type = a->type;
	IrBuilder b = ir_before(a->m, a->op);
	if (a->passing.how == PASS_NOTHING) {
		va_finish_undefined(a);
		return;
	}
	if (a->passing.how == PASS_ADDRESS) {
		a->type = ir_type_ptr(a->m, type);
		va_finish(a, ir_build_load(&b, ir_build_load(&b, locate(a, &b, STACK_SLOT, STACK_SLOT))));
		return;
	}
	IrValue *at = locate(a, &b, ir_type_size(type), abi_type_align(a->types, type));
	/* Integer registers are saved at 8 bytes apart, whatever lies in them. */
	va_finish(a, va_load(&b, at, STACK_SLOT));
}

/* Microsoft x64 */

static void lower_win64(VaArg *a)
{
	IrBuilder b = ir_before(a->m, a->op);
	IrType *slots = ir_type_ptr(a->m, a->m->voidp);
	IrValue *p = ir_build_bitcast(&b, a->list, slots), *at = ir_build_load(&b, p);
	ir_build_store(&b, va_step(&b, at, va_number(&b, a->m->u64, STACK_SLOT), a->m->voidp->elem), p);
	/* A vector goes by value to LLVM, which passes its address. */
	if (a->passing.how == PASS_ADDRESS || ir_type_size(a->type) > STACK_SLOT)
		at = ir_build_load(&b, ir_build_bitcast(&b, at, slots));
	va_finish(a, va_load(&b, ir_build_bitcast(&b, at, ir_type_ptr(a->m, a->type)), STACK_SLOT));
}

/* All */

static const IrOp *top_level(const IrOp *op)
{
	for (const IrOp *up; (up = ir_op_parent(op));)
		op = up;
	return op;
}

static void (*const lowerings[ABI_LIST_COUNT])(VaArg *) = {
    [ABI_LIST_SYSV] = lower_sysv,
    [ABI_LIST_SLOTS] = lower_win64,
    [ABI_LIST_AAPCS64] = va_lower_aapcs64,
    [ABI_LIST_BUFFER] = va_lower_buffer,
};

static void lower_one(AbiSignatures *s, IrOp *op)
{
	IrType *type = op->results[0].type;
	const AbiConvention *conv = abi_convention_of(s, top_level(op));
	AbiRegisters all = conv->registers;
	all.variadic = true;
	VaArg a = {.m = s->types.m, .types = &s->types, .op = op, .type = type, .list = ir_operand(op, 0)};
	a.passing = conv->param(&s->types, type, &all, false);
	lowerings[conv->list](&a);
}

void abi_lower_va_args(IrModule *m, const AbiTarget *target, const char *features)
{
	if (!m->made[OP_VA_ARG])
		return;
	OpList ops = {0};
	ArenaMark mark = arena_mark(&m->scratch);
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		if (op->kind == OP_VA_ARG)
			vec_push(&m->scratch, &ops, op);
	AbiSignatures s;
	if (ops.len)
		abi_signatures_init(&s, m, target, features, &m->scratch);
	/* From the last to the first, so that no op of a block moves twice. */
	for (uint32_t i = ops.len; i-- > 0;)
		lower_one(&s, ops.data[i]);
	arena_release(&m->scratch, mark);
}
