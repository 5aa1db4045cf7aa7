/* A block for each node. Values of a block that is copied, or whose ops a dispatch repeats, go through memory first where other
 * blocks use them: LLVM makes values of them again. */
#include "lift/lifter.h"

#include "ir/clone.h"
#include "ir/memory_value.h"

static bool is_elsewhere(const IrUse *u, const void *value)
{
	return !memory_value_is_home(value, u->user->block);
}

static bool crosses(const Lift *l, const IrValue *v)
{
	if (lift_vanishes(l, v) || ir_is_token(v->type) || (!v->is_arg && v->def.op->kind == OP_ALLOCA))
		return false;
	IR_FOR_USES (u, v)
		if (is_elsewhere(u, v))
			return true;
	return false;
}

static bool send_through_memory(Lift *l, IrBlock *b)
{
	bool any = false;
	for (uint32_t i = 0; i < b->nargs; i++)
		if (crosses(l, b->args[i])) {
			memory_value_make(l->m, l->func, b->args[i], is_elsewhere, b->args[i]);
			any = true;
		}
	for (IrOp *op = b->first; op; op = op->next)
		for (uint32_t i = 0; i < op->nresults; i++)
			if (crosses(l, &op->results[i])) {
				memory_value_make(l->m, l->func, &op->results[i], is_elsewhere,
				                  &op->results[i]);
				any = true;
			}
	return any;
}

static bool is_copied(const Lift *l, const IrBlock *b)
{
	uint32_t n = 0;
	for (const Node *o = ptrmap_get(&l->of_block, b); o && n < 2; o = o->other)
		n += !o->dispatch;
	return n > 1;
}

static bool send_all_through_memory(Lift *l)
{
	bool any = false;
	for (uint32_t i = 0; i < l->nodes.len; i++) {
		const Node *n = l->nodes.data[i];
		if (!n->dispatch && is_copied(l, n->block))
			any |= send_through_memory(l, n->block);
		for (uint32_t k = 0; n->dispatch && k < n->dispatch->passed.len; k++)
			any |= send_through_memory(l, n->dispatch->passed.data[k]);
	}
	return any;
}

/* Copies */

typedef struct Copies {
	Lift *l;
	PtrMap taken;  /* IrBlock → the node that keeps it */
	PtrMap values; /* Node that was copied → PtrMap of its values to those of the copy */
} Copies;

/* The result of a call that ends its block is the one value that another block uses: each copy of that takes it of one copy of this. */
static void find_nodes_before(Lift *l)
{
	for (uint32_t i = 0; i < l->nodes.len; i++) {
		Node *n = l->nodes.data[i];
		const IrOp *last = n->dispatch ? NULL : n->block->last;
		if (last && last->nresults && last->nsuccs && n->succs[0] &&
		    memory_value_is_home(&last->results[0], last->succs[0].dest))
			n->succs[0]->before = n;
	}
}

static IrBlock *copy_block(Copies *c, Node *n)
{
	Lift *l = c->l;
	const IrBlock *b = n->block;
	PtrMap *own = arena_new(l->mem, PtrMap);
	IrBlock *copy = ir_block_clone(l->m, l->mem, n->block, own, ptrmap_get(&c->values, n->before));
	for (uint32_t i = 0; i < b->nargs; i++) {
		lift_copy_part(l, b->args[i], ptrmap_get(own, b->args[i]));
		lift_copy_number(l, b->args[i], ptrmap_get(own, b->args[i]));
	}
	IR_FOR_OPS (op, b)
		for (uint32_t i = 0; i < op->nresults; i++) {
			const IrValue *result = ptrmap_get(own, &op->results[i]);
			lift_copy_part(l, &op->results[i], result);
			lift_copy_number(l, &op->results[i], result);
		}
	ptrmap_put(l->mem, &c->values, n, own);
	return copy;
}

/* The first one keeps the block, but not where it takes a value of a copy. */
static void make_block(Copies *c, Node *n)
{
	bool takes = n->before && ptrmap_get(&c->values, n->before);
	n->made = n->block;
	if (!takes && !ptrmap_get(&c->taken, n->block))
		ptrmap_put(c->l->mem, &c->taken, n->block, n);
	else if (n->block->first->kind == OP_LABEL)
		lift_error(c->l, n->block->first, "is a label in code that several handlers share");
	else
		n->made = copy_block(c, n);
}

static void make_copies(Lift *l)
{
	Copies c = {.l = l};
	find_nodes_before(l);
	for (uint32_t i = 0; i < l->nodes.len && !l->failed; i++) {
		NodeList waiting = {0};
		for (Node *n = l->nodes.data[i]; n && !n->made && !n->dispatch; n = n->before)
			vec_push(l->mem, &waiting, n);
		while (waiting.len && !l->failed)
			make_block(&c, vec_pop(&waiting));
	}
}

bool lift_copy_shared(Lift *l)
{
	if (send_all_through_memory(l))
		return false;
	lift_find_numbers(l);
	make_copies(l);
	for (uint32_t i = 0; i < l->nodes.len; i++)
		if (!l->nodes.data[i]->dispatch)
			l->nodes.data[i]->block = l->nodes.data[i]->made;
	return true;
}
