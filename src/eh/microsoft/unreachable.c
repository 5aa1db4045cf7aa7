#include "eh/microsoft/unreachable.h"

#include "base/ptrmap.h"
#include "base/vec.h"
#include "ir/build.h"

typedef VEC(IrBlock *) Blocks;

static void reach(Arena *mem, PtrMap *reached, Blocks *work, IrBlock *b)
{
	if (ptrmap_get(reached, b))
		return;
	ptrmap_put(mem, reached, b, b);
	vec_push(mem, work, b);
}

static void keep_label(IrModule *m, IrBlock *b)
{
	while (b->last != b->first)
		ir_op_erase(b->last);
	while (b->nargs)
		ir_block_remove_arg(b, b->nargs - 1);
	IrBuilder end = ir_at_end(m, b, b->first->loc);
	ir_build(&end, OP_UNREACHABLE, NULL, NULL, 0);
}

void unreachable_drop(IrModule *m, IrOp *func, Arena *mem)
{
	IrRegion *body = &func->regions[0];
	PtrMap reached = {0};
	Blocks work = {0};
	reach(mem, &reached, &work, body->first);
	while (work.len) {
		const IrOp *last = vec_pop(&work)->last;
		for (uint32_t i = 0; i < last->nsuccs; i++)
			reach(mem, &reached, &work, last->succs[i].dest);
	}
	IR_FOR_BLOCKS (b, body)
		if (!ptrmap_get(&reached, b))
			ir_block_drop_references(b);
	for (IrBlock *b = body->first, *next; b; b = next) {
		next = b->next;
		if (ptrmap_get(&reached, b))
			continue;
		if (b->first->kind == OP_LABEL)
			keep_label(m, b);
		else
			ir_block_erase(b);
	}
}
