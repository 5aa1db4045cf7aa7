/* How deep in catches the selector is that a comparison asks for: each depth has a slot of its own for the type that was caught, since a
 * catch within a catch leaves the type of the outer one. */
#include "lift/lifter.h"

enum { DEPTH_UNKNOWN = 0, DEPTH_MIXED = INT32_MAX };

typedef struct Search {
	Lift *l;
	VEC(const IrValue *) work;
	PtrMap seen;
	uint32_t depth; /* + 1 */
} Search;

uint32_t lift_depth(const Context *c)
{
	uint32_t n = 0;
	for (; c; c = c->around)
		n += !c->flight;
	return n;
}

static void note(Search *s, uint32_t depth)
{
	s->depth = s->depth == DEPTH_UNKNOWN || s->depth == depth + 1 ? depth + 1 : DEPTH_MIXED;
}

static void push(Search *s, const IrValue *v)
{
	if (!lift_vanishes(s->l, v) || ptrmap_get(&s->seen, v))
		return;
	ptrmap_put(s->l->mem, &s->seen, v, s);
	vec_push(s->l->mem, &s->work, v);
}

static void push_stored(Search *s, const IrValue *slot)
{
	IR_FOR_USES (u, slot)
		if (u->user->kind == OP_STORE)
			push(s, ir_operand(u->user, 0));
}

static void visit_arg(Search *s, const IrValue *arg)
{
	const IrBlock *b = arg->def.block;
	uint32_t at = 0;
	while (b->args[at] != arg)
		at++;
	IR_FOR_PREDS(e, b)
	push(s, ir_succ_arg(e, at));
}

static void visit(Search *s, const IrValue *v)
{
	if (v->is_arg) {
		visit_arg(s, v);
		return;
	}
	const IrOp *op = v->def.op;
	if (lift_is_pad(op))
		for (const Node *n = ptrmap_get(&s->l->of_block, op->block); n; n = n->other)
			note(s, lift_depth(n->context));
	if (op->kind == OP_LOAD)
		push_stored(s, ir_operand(op, 0));
	for (uint32_t i = 0; i < op->noperands; i++)
		push(s, ir_operand(op, i));
}

static void find_depth(Lift *l, const IrOp *comparison)
{
	Search s = {.l = l};
	push(&s, ir_operand(comparison, 0));
	push(&s, ir_operand(comparison, 1));
	while (s.work.len)
		visit(&s, s.work.data[--s.work.len]);
	if (s.depth != DEPTH_UNKNOWN && s.depth != DEPTH_MIXED)
		ptrmap_put(l->mem, &l->depths, &comparison->results[0], (void *)(uintptr_t)s.depth);
}

void lift_find_depths(Lift *l)
{
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		IR_FOR_OPS (op, b)
			if ((op->kind == OP_CMP || op->kind == OP_COMPARE) &&
			    lift_part(l, &op->results[0]) == PART_TEST)
				find_depth(l, op);
}
