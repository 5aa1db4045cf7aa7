#include "eh/over_aligned.h"

#include "base/ptrmap.h"
#include "ir/build.h"
#include "ir/debug_source.h"
#include "ir/function_entry.h"
#include "ir/layout.h"
#include "ir/lifetime.h"

enum { STACK_ALIGN = 16 }; /* of x86_64 on every system */

typedef struct OverAligned {
	IrModule *m;
	Arena *mem;
	PtrMap aligns; /* the variable as it is now → its alignment, as a pointer */
} OverAligned;

/* p, which points to enough bytes, rounded up to a multiple of align, as a pointer like `like`. */
static IrValue *round_up(IrBuilder *b, IrValue *p, uint64_t align, IrType *like)
{
	IrModule *m = b->m;
	IrType *bytes = ir_type_ptr(m, m->u8);
	IrValue *step[] = {ir_build_bitcast(b, p, bytes), ir_build_const_int(b, m->size, align - 1)};
	IrOp *end = ir_build(b, OP_PTR_STRIDE, bytes, step, 2);
	IrValue *mask[] = {&end->results[0], ir_build_const_int(b, m->size, ~(align - 1))};
	IrOp *rounded = ir_build(b, OP_PTR_MASK, bytes, mask, 2);
	return ir_build_bitcast(b, &rounded->results[0], like);
}

/* alloca of T, aligned to A   →   alloca of sizeof T + A - 1 bytes, rounded up */
static void loosen(OverAligned *o, IrSource *source, IrOp *variable, uint64_t align)
{
	IrModule *m = o->m;
	IrValue *old = &variable->results[0];
	IrBuilder b = ir_before(m, variable);
	uint64_t size = ir_type_size(old->type->elem) + align - 1;
	IrValue *bytes =
	    ir_build_alloca(&b, ir_type_array(m, m->u8, size), STR("__over_aligned"), STACK_ALIGN);
	IrValue *rounded = round_up(&b, bytes, align, old->type);
	ptrmap_put(o->mem, &o->aligns, bytes, (void *)(uintptr_t)align);
	ir_source_keep(&b, source, old, rounded);
	for (IrUse *u = old->uses, *next; u; u = next) {
		next = u->next;
		bool escapes = u->user->kind == OP_LOCALESCAPE;
		ir_set_operand(u->user, (uint32_t)(u - u->user->operands), escapes ? bytes : rounded);
	}
	ir_op_erase(variable);
}

static void loosen_variables(OverAligned *o, const IrOp *func)
{
	IrSource *source = ir_source_remember(o->m, func);
	IR_FOR_BLOCKS (b, &func->regions[0]) {
		for (IrOp *op = b->first, *next; op; op = next) {
			uint64_t align = op->kind == OP_ALLOCA ? ir_op_uint(op, NAME_alignment, 0) : 0;
			bool is_loose = align > STACK_ALIGN && !ir_op_nmain(op);
			if (is_loose)
				ir_forget_lifetime(&op->results[0]); /* one may be next */
			next = op->next;
			if (is_loose)
				loosen(o, source, op, align);
		}
	}
}

/* What a filter recovers of such a variable are the bytes. */
static void round_recovered(OverAligned *o, IrOp *recover)
{
	const IrOp *escape = abi_entry_escape(ir_symbol(ir_op_symbol(recover, NAME_function)));
	const IrValue *variable = ir_operand(escape, (uint32_t)ir_op_uint(recover, NAME_index, 0));
	uint64_t align = (uintptr_t)ptrmap_get(&o->aligns, variable);
	if (!align)
		return;
	IrBuilder b = ir_before(o->m, recover);
	ArenaMark mark = arena_mark(o->mem);
	IrOpSpec spec = ir_op_spec(recover, o->mem);
	IrOp *bytes = ir_build_spec(&b, &spec);
	arena_release(o->mem, mark);
	IrValue *old = &recover->results[0];
	ir_value_replace(old, round_up(&b, &bytes->results[0], align, old->type));
	ir_op_erase(recover);
}

void over_aligned_lower(IrModule *m)
{
	OverAligned o = {.m = m, .mem = &m->scratch};
	if (!m->made[OP_LOCALESCAPE])
		return;
	ArenaMark mark = arena_mark(o.mem);
	IR_FOR_OPS (func, ir_module_block(m))
		if (func->kind == OP_FUNC && abi_entry_escape(func))
			loosen_variables(&o, func);
	for (IrOp *op = o.aligns.len ? ir_walk_first(&m->body) : NULL, *next; op; op = next) {
		next = ir_walk_next(op, &m->body);
		if (op->kind == OP_LOCALRECOVER)
			round_recovered(&o, op);
	}
	arena_release(o.mem, mark);
}
