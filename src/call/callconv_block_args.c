/* call/callconv_block_args.c: objects with an identity that arrive along several edges.
 *
 * 	  %1 = cir.call @f() : () -> !rec_S               %1 = cir.call @f() : () -> !rec_S
 * 	  cir.br ^join(%1 : !rec_S)                       cir.store %1, %p
 * 	  …                                           →   cir.br ^join
 * 	^join(%2: !rec_S):                                …
 * 	  cir.store %2, %p                              ^join:
 *
 * That is only where the value goes: whether the calls can make it there is asked when they are rewritten. What is not
 * stored by the join, but used there, goes through a slot. Blocks are looked at from the last to the first: joins of joins
 * lead to the same place.
 */
#include "call/callconv_internal.h"

#include "ir/layout.h"

/* The store that takes the argument to its place: that is known when the block is entered, and nothing looks at memory
 * before. */
static IrOp *store_of(const IrBlock *b, const IrValue *arg)
{
	IrOp *sink = rewrite_sink(arg);
	if (!sink || sink->block != b)
		return NULL;
	const IrValue *to = ir_operand(sink, 1);
	if (!rewrite_is_slot(to) && (to->is_arg ? to->def.block : to->def.op->block) == b)
		return NULL;
	for (const IrOp *op = b->first; op != sink; op = op->next)
		if (!rewrite_is_harmless(op))
			return NULL;
	return sink;
}

/* Nobody comes to the block again before the last use: what is in the slot is still what came along the edge. */
static bool is_used_at_once(const IrBlock *b, const IrValue *arg)
{
	IR_FOR_USES (u, arg)
		if (u->user->block != b || u->user->kind == OP_STORE)
			return false;
	return true;
}

/* Only what is made for the join can be made where it leads. */
static bool is_new(const IrValue *v)
{
	if (!v->uses || v->uses->next)
		return false;
	if (v->is_arg)
		return v->def.block != v->def.block->region->first;
	OpKind kind = v->def.op->kind;
	return (op_info[kind].flags & OPF_CALLS) || kind == OP_CONST || kind == OP_INSERT_MEMBER;
}

static bool can_join(const IrBlock *b, uint32_t index)
{
	if (!store_of(b, b->args[index]) && !is_used_at_once(b, b->args[index]))
		return false;
	IR_FOR_PREDS(s, b)
	if (s->op->kind != OP_BR || !is_new(ir_succ_arg(s, index)))
		return false;
	return b->preds;
}

/* Stores what comes along the edge, and takes it from the edge. */
static void store_on_edge(Rewrite *r, IrOp *br, uint32_t index, IrValue *to, uint64_t align)
{
	IrModule *m = r->m;
	IrBuilder b = ir_before(m, br);
	ArenaMark mark = arena_mark(&m->scratch);
	uint32_t n = br->succs[0].nargs, kept = 0;
	IrValue **args = arena_array(&m->scratch, IrValue *, n), *v = ir_succ_arg(&br->succs[0], index);
	for (uint32_t i = 0; i < n; i++)
		if (i != index)
			args[kept++] = ir_succ_arg(&br->succs[0], i);
	ir_succ_set_args(m, br, 0, args, kept);
	rewrite_store(&b, v, to, align);
	arena_release(&m->scratch, mark);
}

static void join(Rewrite *r, IrBlock *b, uint32_t index)
{
	IrValue *arg = b->args[index], *to;
	IrOp *sink = store_of(b, arg);
	uint64_t align = sink ? rewrite_access_align(sink, arg->type) : ir_type_align(arg->type);
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
	IR_FOR_PREDS(s, b)
	store_on_edge(r, s->op, index, to, align);
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
