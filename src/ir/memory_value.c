#include "ir/memory_value.h"

#include "ir/build.h"
#include "ir/function_entry.h"

static bool has_one_edge(const IrBlock *b)
{
	return b->preds && !b->preds->next;
}

bool memory_value_is_home(const IrValue *v, const IrBlock *b)
{
	if (v->is_arg)
		return v->def.block == b;
	const IrOp *op = v->def.op;
	return op->block == b || (op->nsuccs && op->succs[0].dest == b && has_one_edge(b));
}

/* Pads begin with these; nothing may come in front. */
static IrOp *first_free(const IrBlock *b)
{
	IrOp *op = b->first;
	while (op->kind == OP_EH_INITIATE || op->kind == OP_BEGIN_CLEANUP || op->kind == OP_LABEL ||
	       op->kind == OP_CONSTRUCT_CATCH_PARAM || op->kind == OP_BEGIN_CATCH ||
	       op->kind == OP_EH_INFLIGHT || op->kind == OP_LANDING_PAD)
		op = op->next;
	return op;
}

/* On the normal edge of a call. */
static IrBlock *block_behind(IrModule *m, IrOp *op)
{
	const IrSucc *s = &op->succs[0];
	IrBlock *b = ir_block_create(m, op->loc);
	ir_block_insert_after(op->block, b);
	ArenaMark mark = arena_mark(&m->scratch);
	IrValue **args = arena_array(&m->scratch, IrValue *, s->nargs);
	for (uint32_t i = 0; i < s->nargs; i++)
		args[i] = ir_succ_arg(s, i);
	IrBuilder end = ir_at_end(m, b, op->loc);
	ir_build_br(&end, s->dest, args, s->nargs);
	arena_release(&m->scratch, mark);
	ir_succ_set_args(m, op, 0, NULL, 0);
	ir_succ_set_dest(&op->succs[0], b);
	return b;
}

static IrOp *place_of_store(IrModule *m, const IrValue *v, IrBlock **made)
{
	if (v->is_arg)
		return first_free(v->def.block);
	IrOp *op = v->def.op;
	if (!op->nsuccs)
		return op->next;
	if (has_one_edge(op->succs[0].dest))
		return first_free(op->succs[0].dest);
	*made = block_behind(m, op);
	return (*made)->first;
}

IrBlock *memory_value_make(IrModule *m, IrOp *func, IrValue *v,
                           bool (*moves)(const IrUse *u, const void *data), const void *data)
{
	IrBlock *made = NULL;
	IrBuilder entry = ir_before(m, abi_entry_front(func));
	IrValue *slot = ir_build_alloca(&entry, v->type, STR("__across_pads"), 0);
	IrOp *behind = place_of_store(m, v, &made);
	for (IrUse *u = v->uses, *next; u; u = next) {
		next = u->next;
		if ((made && u->user->block == made) || !moves(u, data))
			continue;
		IrBuilder at = ir_before(m, u->user);
		ir_set_operand(u->user, (uint32_t)(u - u->user->operands), ir_build_load(&at, slot));
	}
	IrBuilder b = ir_before(m, behind);
	ir_build_store(&b, v, slot);
	return made;
}
