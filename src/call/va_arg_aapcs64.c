/* AAPCS64, appendix B: the list is { ptr stack, ptr gr_top, ptr vr_top, s32 gr_offs, s32 vr_offs }. The callee has saved eight general
 * registers of 8 bytes below gr_top, and eight vector registers of 16 below vr_top; an offset is negative while some are left:
 *
 * 	  if (offs >= 0) ^memory else ^maybe
 * 	^maybe:
 * 	  offs, aligned; end = offs + size of the registers; list.offs = end; if (end <= 0) ^saved else ^memory
 * 	^saved:
 * 	  at = top + offs
 * 	^memory:
 * 	  at = stack, aligned; stack = at + size, in steps of 8
 * 	^rest(at):
 * 	  load at
 *
 * What lies in several vector registers is put together in a slot first.
 */
#include "call/va_arg_internal.h"
#include "ir/function_entry.h"

#include "ir/layout.h"

enum {
	STACK = 0,
	GR_TOP = 8,
	VR_TOP = 16,
	GR_OFFS = 24,
	VR_OFFS = 28,
	GR_SIZE = 8,
	VR_SIZE = 16,
	STACK_SLOT = 8,
};

/* The blocks of one va_arg. */
typedef struct Ways {
	IrBlock *start, *maybe, *saved, *memory, *rest;
} Ways;

static IrValue *signed_number(const VaArg *a, IrBuilder *b, int n)
{
	return va_number(b, a->m->s32, (uint64_t)(int64_t)n);
}

static bool in_vectors(const VaArg *a)
{
	return a->passing.floats != 0;
}

static int size_of_registers(const VaArg *a)
{
	return in_vectors(a) ? a->passing.floats * VR_SIZE : a->passing.ints * GR_SIZE;
}

/* An argument of two general registers begins at an even one if its type is aligned to both. */
static bool is_pair(const VaArg *a)
{
	const AbiPassing *p = &a->passing;
	const IrType *t = p->how == PASS_PIECES ? p->pieces[0] : a->type;
	return p->how != PASS_ADDRESS && p->ints == 2 && t->kind == TYPE_INT;
}

static uint64_t stack_align(VaArg *a)
{
	const IrType *t = a->passing.how == PASS_PIECES ? a->passing.pieces[0] : a->type;
	if (a->passing.how == PASS_PIECES && a->passing.align)
		return a->passing.align;
	while (t->kind == TYPE_ARRAY)
		t = t->elem;
	bool wide = a->passing.floats && t->kind != TYPE_COMPLEX && ir_type_size((IrType *)t) == VR_SIZE;
	return wide || is_pair(a) ? VR_SIZE : STACK_SLOT;
}

static Ways split(VaArg *a)
{
	Ways w = {.start = a->op->block};
	IrBlock **made[] = {&w.maybe, &w.saved, &w.memory};
	abi_entry_keep_variables(a->op);
	w.rest = ir_block_split(a->m, w.start, a->op->next, a->op->loc);
	IrBlock *behind = w.start;
	for (unsigned i = 0; i < ARRAY_LEN(made); i++) {
		*made[i] = ir_block_create(a->m, a->op->loc);
		ir_block_insert_after(behind, *made[i]);
		behind = *made[i];
	}
	return w;
}

static void branch(IrBuilder *b, IrValue *condition, IrBlock *yes, IrBlock *no)
{
	ir_build_brcond(b, condition, (IrSuccSpec){.dest = yes}, (IrSuccSpec){.dest = no});
}

/* Returns the offset of the first register. */
static IrValue *look_for_registers(VaArg *a, const Ways *w)
{
	uint64_t at = in_vectors(a) ? VR_OFFS : GR_OFFS;
	IrBuilder b = ir_at_end(a->m, w->start, a->op->loc);
	IrValue *offs = ir_build_load(&b, va_field(a, &b, at, a->m->s32));
	branch(&b, ir_build_cmp(&b, CMP_GE, offs, signed_number(a, &b, 0)), w->memory, w->maybe);
	b = ir_at_end(a->m, w->maybe, a->op->loc);
	if (is_pair(a)) {
		offs = va_binary(&b, OP_ADD, offs, signed_number(a, &b, VR_SIZE - 1));
		offs = va_binary(&b, OP_AND, offs, signed_number(a, &b, -VR_SIZE));
	}
	IrValue *end = va_binary(&b, OP_ADD, offs, signed_number(a, &b, size_of_registers(a)));
	ir_build_store(&b, end, va_field(a, &b, at, a->m->s32));
	branch(&b, ir_build_cmp(&b, CMP_LE, end, signed_number(a, &b, 0)), w->saved, w->memory);
	return offs;
}

static IrValue *assemble(const VaArg *a, IrBuilder *b, IrValue *from)
{
	IrValue *slot = va_slot(a);
	IrType *whole = a->passing.how == PASS_PIECES ? a->passing.pieces[0] : a->type;
	IrType *base = whole->elem; /* of an array, or of a complex number */
	uint64_t size = ir_type_size(base);
	for (unsigned i = 0; i < a->passing.floats; i++) {
		IrValue *skip = va_number(b, a->m->u64, (uint64_t)i * VR_SIZE);
		IrValue *v = ir_build_load(b, va_step(b, from, skip, base));
		ir_build_store(b, v, va_step(b, slot, va_number(b, a->m->u64, i * size), base));
	}
	return slot;
}

static void read_registers(const VaArg *a, const Ways *w, IrValue *offs)
{
	IrBuilder b = ir_at_end(a->m, w->saved, a->op->loc);
	IrValue *top = ir_build_load(&b, va_field(a, &b, in_vectors(a) ? VR_TOP : GR_TOP, a->m->voidp));
	IrValue *at = va_step(&b, top, ir_build_cast(&b, CAST_INTEGRAL, offs, a->m->s64), a->type);
	if (a->passing.floats > 1)
		at = assemble(a, &b, at);
	ir_build_br(&b, w->rest, &at, 1);
}

static void read_memory(VaArg *a, const Ways *w)
{
	IrBuilder b = ir_at_end(a->m, w->memory, a->op->loc);
	IrValue *p = va_field(a, &b, STACK, a->m->voidp), *at = ir_build_load(&b, p);
	if (stack_align(a) > STACK_SLOT)
		at = va_align(&b, at, stack_align(a));
	uint64_t used = (ir_type_size(a->type) + STACK_SLOT - 1) / STACK_SLOT * STACK_SLOT;
	IrValue *next = va_step(&b, at, va_number(&b, a->m->u64, used), ir_type_simple(a->m, TYPE_VOID));
	ir_build_store(&b, next, p);
	at = ir_build_bitcast(&b, at, ir_type_ptr(a->m, a->type));
	ir_build_br(&b, w->rest, &at, 1);
}

void va_lower_aapcs64(VaArg *a)
{
	IrType *type = a->type;
	if (a->passing.how == PASS_NOTHING) {
		va_finish_undefined(a);
		return;
	}
	if (a->passing.how == PASS_ADDRESS)
		a->type = ir_type_ptr(a->m, type);
	Ways w = split(a);
	IrValue *at = ir_block_add_arg(a->m, w.rest, ir_type_ptr(a->m, a->type));
	read_registers(a, &w, look_for_registers(a, &w));
	read_memory(a, &w);
	IrBuilder b = w.rest->first ? ir_before(a->m, w.rest->first) : ir_at_end(a->m, w.rest, a->op->loc);
	b.loc = a->op->loc;
	if (a->passing.how == PASS_ADDRESS)
		at = ir_build_load(&b, at);
	va_finish(a, va_load(&b, at, STACK_SLOT));
}
