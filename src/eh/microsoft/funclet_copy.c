/* eh/microsoft/funclet_copy.c: two kinds of round, of which microsoft.c plans anew after each.
 *
 * A value of a block that is to be copied, which other blocks use, has no single definition afterwards. While
 * there is such a value, a round sends it through memory (a slot in the entry block), which LLVM undoes;
 * copies are made by the round that finds none. */
#include "eh/microsoft/funclet_copy.h"

#include "ir/clone.h"
#include "ir/memory_value.h"

/* Values that cross blocks */

static bool is_shared(const FuncletPlan *p, const IrBlock *b)
{
	const FuncletNode *n = ptrmap_get(&p->of_block, b);
	return n && n->other;
}

static bool is_elsewhere(const IrUse *u, const void *value)
{
	return !memory_value_is_home(value, u->user->block);
}

static bool crosses(const IrValue *v)
{
	if (ir_is_token(v->type))
		return false;
	IR_FOR_USES (u, v)
		if (is_elsewhere(u, v))
			return true;
	return false;
}

/* A pad that is only a dispatch has no room for a store. */
static bool through_memory(IrModule *m, FuncletPlan *p, IrValue *v)
{
	const IrOp *last = v->is_arg ? v->def.block->last : NULL;
	if (last && (last->kind == OP_EH_DISPATCH || last->kind == OP_EH_TERMINATE)) {
		diag_error(p->d, last->loc,
		           "dispatch is shared by several handlers and takes a value besides the exception; "
		           "give each handler its own dispatch for windows-msvc");
		p->failed = true;
		return false;
	}
	memory_value_make(m, p->func, v, is_elsewhere, v);
	return true;
}

/* True: something was changed, or failed. */
static bool send_through_memory(IrModule *m, FuncletPlan *p)
{
	bool any = false;
	uint32_t n = p->nodes.len;
	for (uint32_t i = 0; i < n && !p->failed; i++) {
		IrBlock *b = p->nodes.data[i]->block;
		if (!is_shared(p, b) || ptrmap_get(&p->of_block, b) != p->nodes.data[i])
			continue;
		for (uint32_t k = 0; k < b->nargs && !p->failed; k++)
			if (crosses(b->args[k]))
				any = through_memory(m, p, b->args[k]);
		for (IrOp *op = b->first; op && !p->failed; op = op->next)
			for (uint32_t k = 0; k < op->nresults; k++)
				if (crosses(&op->results[k]))
					any = through_memory(m, p, &op->results[k]);
	}
	return any || p->failed;
}

/* Copies */

typedef struct Copies {
	IrModule *m;
	FuncletPlan *p;
	PtrMap values; /* FuncletNode that was copied → PtrMap of its values to those of the copy */
} Copies;

/* The result of a call that ended its block is the one value that is used by the copy of another block. */
static const PtrMap *values_before(const Copies *c, const FuncletNode *n)
{
	const IrSucc *s = n->block->preds;
	if (!s || s->next)
		return NULL;
	const FuncletNode *from = ptrmap_get(&c->p->of_block, s->op->block);
	while (from && from->pad != n->pad)
		from = from->other;
	return from ? ptrmap_get(&c->values, from) : NULL;
}

static IrBlock *copy_block(Copies *c, FuncletNode *n)
{
	PtrMap *own = arena_new(c->p->mem, PtrMap);
	IrBlock *copy = ir_block_clone(c->m, c->p->mem, n->block, own, values_before(c, n));
	ptrmap_put(c->p->mem, &c->values, n, own);
	return copy;
}

static bool may_copy(FuncletPlan *p, const IrBlock *b)
{
	if (b->first->kind != OP_LABEL)
		return true;
	diag_error(p->d, b->first->loc,
	           "label is in code shared by several handlers, which is copied into each for windows-msvc; "
	           "give each handler its own code");
	p->failed = true;
	return false;
}

static void give_copies(IrModule *m, FuncletPlan *p)
{
	Copies c = {.m = m, .p = p};
	IrBlock **copies = arena_array(p->mem, IrBlock *, p->nodes.len);
	for (uint32_t i = 0; i < p->nodes.len; i++) {
		FuncletNode *n = p->nodes.data[i];
		if (ptrmap_get(&p->of_block, n->block) == n)
			continue;
		if (!may_copy(p, n->block))
			return;
		copies[i] = copy_block(&c, n);
	}
	for (uint32_t i = 0; i < p->nodes.len; i++)
		if (copies[i])
			p->nodes.data[i]->block = copies[i];
	for (uint32_t i = 0; i < p->nodes.len; i++) {
		FuncletNode *n = p->nodes.data[i];
		for (uint32_t k = 0; k < n->block->last->nsuccs; k++)
			if (n->succs[k])
				ir_succ_set_dest(&n->block->last->succs[k], n->succs[k]->block);
	}
}

bool funclet_copy_shared(IrModule *m, FuncletPlan *p)
{
	if (!send_through_memory(m, p))
		give_copies(m, p);
	return !p->failed;
}
