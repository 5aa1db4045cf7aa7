#include "eh/microsoft/funclet_escape.h"

#include "ir/memory_value.h"

typedef struct Escape {
	const FuncletPlan *plan;
	const FuncletPad *handler; /* the innermost one around the value */
} Escape;

/* Is it outside of a handler around the value that exceptions leave? Pads that only forward vanish, and what
 * they hand on is taken where they are entered. */
static bool is_outside(const IrUse *u, const void *data)
{
	const Escape *e = data;
	const FuncletNode *n = ptrmap_get(&e->plan->of_block, u->user->block);
	if (!n || (n->pad && n->pad->kind == FUNCLET_FORWARD))
		return false;
	const FuncletPad *user = funclet_handler(n->pad);
	for (const FuncletPad *h = e->handler; h; h = h->parent) {
		const FuncletPad *around = user;
		while (around && around != h)
			around = around->parent;
		if (around)
			return false;
		if (h->dispatch->leaves && h->dispatch->exit)
			return true;
	}
	return false;
}

static bool send_out(IrModule *m, FuncletPlan *p, const Escape *e, IrValue *v)
{
	bool any = false;
	if (ir_is_token(v->type))
		return false;
	IR_FOR_USES (u, v)
		any |= is_outside(u, e);
	if (!any)
		return false;
	const IrOp *last = v->is_arg ? v->def.block->last : NULL;
	if (last && (last->kind == OP_EH_DISPATCH || last->kind == OP_EH_TERMINATE)) {
		diag_error(p->d, last->loc,
		           "value of a dispatch inside a handler is used outside of the handler; pass it "
		           "through memory for windows-msvc");
		p->failed = true;
		return true;
	}
	memory_value_make(m, p->func, v, is_outside, e);
	return true;
}

bool funclet_send_out(IrModule *m, FuncletPlan *p)
{
	bool any = false;
	uint32_t n = p->nodes.len;
	for (uint32_t i = 0; i < n && !p->failed; i++) {
		IrBlock *b = p->nodes.data[i]->block;
		Escape e = {p, funclet_handler(p->nodes.data[i]->pad)};
		if (!e.handler)
			continue;
		for (uint32_t k = 0; k < b->nargs && !p->failed; k++)
			any |= send_out(m, p, &e, b->args[k]);
		for (IrOp *op = b->first; op && !p->failed; op = op->next)
			for (uint32_t k = 0; k < op->nresults; k++)
				any |= send_out(m, p, &e, &op->results[k]);
	}
	return any;
}
