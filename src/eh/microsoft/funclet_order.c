#include "eh/microsoft/funclet_order.h"

#include "ir/dominance.h"

/* By place: the place of the pad whose funclet the block is in, which dominates it; 0: none, or one around the pad that a catchret
 * has left. */
static uint32_t *find_pads(const DomTree *dom, Arena *mem)
{
	uint32_t *pad = arena_array(mem, uint32_t, dom->n);
	for (uint32_t i = 1; i < dom->n; i++) {
		OpKind first = dom->order[i]->first->kind;
		if (first == OP_CATCHPAD || first == OP_CLEANUPPAD)
			pad[i] = i;
		else if (dom->order[dom->idom[i]]->last->kind != OP_CATCHRET)
			pad[i] = pad[dom->idom[i]];
	}
	return pad;
}

static bool is_in_order(const IrRegion *r, const uint32_t *place, const DomTree *dom, Arena *mem)
{
	const uint32_t *pad = find_pads(dom, mem);
	bool *seen = arena_array(mem, bool, dom->n);
	IR_FOR_BLOCKS (b, r) {
		uint32_t at = place[b->id];
		if (at == DOM_UNREACHABLE)
			continue;
		seen[at] = true;
		if (!seen[pad[at]])
			return false;
	}
	return true;
}

void funclet_order_blocks(IrModule *m, IrOp *func, Arena *mem)
{
	IrRegion *r = &func->regions[0];
	uint32_t *place = arena_array(mem, uint32_t, m->nblocks);
	DomTree dom;
	IR_FOR_BLOCKS (b, r)
		place[b->id] = DOM_UNREACHABLE;
	dom_compute(r, mem, place, &dom);
	if (is_in_order(r, place, &dom, mem))
		return;
	for (uint32_t i = 1; i < dom.n; i++) {
		ir_block_remove(dom.order[i]);
		ir_block_insert_after(dom.order[i - 1], dom.order[i]);
	}
}
