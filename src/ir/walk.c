/* Every op of a region, and of the regions inside. */
#include "ir/op.h"

static IrOp *first_in_blocks(const IrBlock *b)
{
	for (; b; b = b->next)
		if (b->first)
			return b->first;
	return NULL;
}

static IrOp *first_in_regions(const IrOp *op, uint32_t from)
{
	for (uint32_t i = from; i < op->nregions; i++) {
		IrOp *first = first_in_blocks(op->regions[i].first);
		if (first)
			return first;
	}
	return NULL;
}

IrOp *ir_walk_first(const IrRegion *root)
{
	return first_in_blocks(root->first);
}

IrOp *ir_walk_skip(const IrOp *op, const IrRegion *root)
{
	for (;;) {
		if (op->next)
			return op->next;
		IrOp *next = first_in_blocks(op->block->next);
		if (next)
			return next;
		const IrRegion *r = op->block->region;
		if (r == root)
			return NULL;
		op = r->op;
		next = first_in_regions(op, (uint32_t)(r - op->regions) + 1);
		if (next)
			return next;
	}
}

IrOp *ir_walk_next(const IrOp *op, const IrRegion *root)
{
	ir_op_fetch_ahead(op);
	IrOp *inside = first_in_regions(op, 0);
	return inside ? inside : ir_walk_skip(op, root);
}
