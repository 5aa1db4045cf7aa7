/* Blocks that nothing reaches go: code after a return or a throw, handlers that only such code could reach.
 * Cleanups that never end keep what is around them reachable. */
#include "flatten/internal.h"

typedef struct Reach {
	VEC(IrBlock *) work;
} Reach;

static bool is_reached(const Flatten *f, const IrBlock *b)
{
	return b->id < f->reached->len && f->reached->data[b->id] == f->number;
}

static void reach(Flatten *f, Reach *r, IrBlock *b)
{
	if (is_reached(f, b))
		return;
	while (f->reached->len <= b->id)
		vec_push(&f->m->scratch, f->reached, 0);
	f->reached->data[b->id] = f->number;
	vec_push(f->mem, &r->work, b);
}

static void follow_edges(Flatten *f, Reach *r)
{
	while (r->work.len) {
		IrOp *term = vec_pop(&r->work)->last;
		for (uint32_t i = 0; term && i < term->nsuccs; i++)
			reach(f, r, term->succs[i].dest);
	}
}

/* Cleanups that run, but whose end nothing reaches, get their way on. Those further out, which it leads to,
 * come later; only cleanups inside of cleanups may call for another round. */
static void keep_ways_on(Flatten *f, Reach *r)
{
	for (bool again = true; again;) {
		again = false;
		for (uint32_t i = 0; i < f->emitted.len; i++) {
			EhState *eh = f->emitted.data[i];
			if (!is_reached(f, eh->entry) || (eh->end && is_reached(f, eh->end)))
				continue;
			eh_keep_way_on(f, eh);
			vec_push(f->mem, &r->work, eh->entry); /* its terminator is another one now */
			follow_edges(f, r);
			again = true;
		}
	}
}

static bool begins_with_label(const IrBlock *b)
{
	return b->first && b->first->kind == OP_LABEL;
}

/* Nothing goes there, but its address is taken. */
static void empty_label(Flatten *f, IrBlock *b)
{
	while (b->last->kind != OP_LABEL)
		ir_op_erase(b->last);
	IrBuilder at = ir_at_end(f->m, b, b->first->loc);
	ir_build(&at, OP_UNREACHABLE, NULL, NULL, 0);
}

/* What live code uses of a dead block, when that uses nothing itself any more: a jump goes around it. */
static bool is_used(Flatten *f, const IrBlock *b)
{
	const IrUse *use = NULL;
	for (uint32_t i = 0; i < b->nargs && !use; i++)
		use = b->args[i]->uses;
	IR_FOR_OPS (op, b)
		for (uint32_t i = 0; i < op->nresults && !use; i++)
			use = op->results[i].uses;
	if (use)
		flatten_report_bypass(f->d, use);
	return use;
}

void flatten_prune(Flatten *f)
{
	Reach r = {0};
	reach(f, &r, f->entry);
	follow_edges(f, &r);
	keep_ways_on(f, &r);
	VEC(IrBlock *) dead = {0};
	IR_FOR_BLOCKS (b, f->out)
		if (!is_reached(f, b))
			vec_push(f->mem, &dead, b);
	/* Dead blocks may use each other's values in any order: all references go first. */
	for (uint32_t i = 0; i < dead.len; i++)
		ir_block_drop_references(dead.data[i]);
	for (uint32_t i = 0; f->has_jump && !f->failed && i < dead.len; i++)
		f->failed = is_used(f, dead.data[i]);
	for (uint32_t i = 0; !f->failed && i < dead.len; i++) {
		if (begins_with_label(dead.data[i]))
			empty_label(f, dead.data[i]);
		else
			ir_block_erase(dead.data[i]);
	}
}
