/* abi/callconv_join.c: objects with an identity that arrive along several edges.
 *
 * 	  %1 = cir.call @f() : () -> !rec_S               %1 = cir.call @f() : () -> !rec_S
 * 	  cir.br ^join(%1 : !rec_S)                       cir.store %1, %p
 * 	  …                                           →   cir.br ^join
 * 	^join(%2: !rec_S):                                …
 * 	  cir.store %2, %p                              ^join:
 *
 * Each call makes it where the join would store it, or else in a slot that all of them share, which is what its
 * users are given. Blocks are looked at from the last to the first: joins of joins lead to the same place.
 */
#include "abi/rewrite.h"

/* The store that takes the argument to its place: that is known when the block is entered, and nothing
 * looks there before. */
static IrOp *store_of(const IrBlock *b, const IrValue *arg)
{
	IrOp *sink = rewrite_sink(arg);
	if (!sink || sink->block != b)
		return NULL;
	const IrValue *to = ir_operand(sink, 1);
	if (!rewrite_is_slot(to) && (to->is_arg ? to->def.block : to->def.op->block) == b)
		return NULL;
	for (const IrOp *op = b->first; op != sink; op = op->next)
		if (rewrite_touches(op, to))
			return NULL;
	return sink;
}

/* Only what is made for the join can be made where it leads. */
static bool is_new(const IrValue *v)
{
	if (!v->uses || v->uses->next)
		return v->uses && !v->is_arg && (op_info[v->def.op->kind].flags & OPF_CALLS);
	if (v->is_arg)
		return v->def.block != v->def.block->region->first;
	OpKind kind = v->def.op->kind;
	return (op_info[kind].flags & OPF_CALLS) || kind == OP_CONST || kind == OP_INSERT_MEMBER;
}

static bool can_join(const IrBlock *b, uint32_t index)
{
	IR_FOR_PREDS(s, b)
	{
		OpKind kind = s->op->kind;
		bool known = kind == OP_BR || kind == OP_BRCOND || (kind == OP_TRY_CALL && s == s->op->succs);
		if (!known || !is_new(ir_succ_arg(s, index)))
			return false;
	}
	return b->preds;
}

static IrBuilder on_edge(Rewrite *r, IrSucc *s)
{
	IrModule *m = r->m;
	IrOp *from = s->op;
	if (from->kind == OP_BR)
		return ir_before(m, from);
	uint32_t index = ir_succ_index(s), n = s->nargs;
	IrBlock *edge = ir_block_create(m, from->loc), *dest = s->dest;
	ArenaMark mark = arena_mark(&m->scratch);
	IrValue **args = arena_array(&m->scratch, IrValue *, n);
	for (uint32_t i = 0; i < n; i++)
		args[i] = ir_succ_arg(s, i);
	ir_block_insert_after(from->block, edge);
	ir_succ_set_args(m, from, index, NULL, 0);
	ir_succ_set_dest(&from->succs[index], edge);
	IrBuilder b = ir_at_end(m, edge, from->loc);
	IrOp *br = ir_build_br(&b, dest, args, n);
	arena_release(&m->scratch, mark);
	return ir_before(m, br);
}

/* Stores what comes along the edge, and takes it from the edge. */
static void store_on_edge(Rewrite *r, IrSucc *s, uint32_t index, IrValue *to)
{
	IrModule *m = r->m;
	IrBuilder b = on_edge(r, s);
	IrOp *br = b.before;
	ArenaMark mark = arena_mark(&m->scratch);
	uint32_t n = br->succs[0].nargs, kept = 0;
	IrValue **args = arena_array(&m->scratch, IrValue *, n), *v = ir_succ_arg(&br->succs[0], index);
	for (uint32_t i = 0; i < n; i++)
		if (i != index)
			args[kept++] = ir_succ_arg(&br->succs[0], i);
	ir_succ_set_args(m, br, 0, args, kept);
	ir_build_store(&b, v, to);
	arena_release(&m->scratch, mark);
}

static void join(Rewrite *r, IrBlock *b, uint32_t index)
{
	IrValue *arg = b->args[index], *to;
	IrOp *sink = store_of(b, arg);
	if (sink) {
		to = ir_operand(sink, 1);
		ir_op_erase(sink);
		if (rewrite_is_slot(to))
			rewrite_move_slot(r, to);
	} else {
		to = rewrite_slot(r, arg->type, abi_type_align(&r->s.types, arg->type), b->loc);
		IrBuilder front = ir_before(r->m, b->first->kind == OP_LABEL ? b->first->next : b->first);
		ir_value_replace(arg, ir_build_load(&front, to));
	}
	for (IrSucc *s = b->preds, *next; s; s = next) {
		next = s->next;
		store_on_edge(r, s, index, to);
	}
	ir_block_remove_arg(b, index);
}

void rewrite_joins(Rewrite *r, IrOp *func)
{
	const IrRegion *body = &func->regions[0];
	r->func = func;
	for (IrBlock *b = body->last; b && b != body->first; b = b->prev)
		for (uint32_t i = b->nargs; i-- > 0;)
			if (abi_goes_by_address(&r->s.types, b->args[i]->type) && can_join(b, i))
				join(r, b, i);
}
