#include "ir/try.h"

static const IrAttr *handlers(const IrOp *op)
{
	const IrAttr *uses = ir_op_attr(op, NAME_handler_types);
	return uses && uses->kind == ATTR_ARRAY && uses->n ? uses : NULL;
}

uint32_t ir_try_nhandlers(const IrOp *op)
{
	const IrAttr *uses = handlers(op);
	return uses ? uses->n : 0;
}

static TryHandlerKind kind_of(const IrAttr *use)
{
	static const TryHandlerKind words[] = {[HANDLER_ALL] = TRY_ALL,
	                                       [HANDLER_UNWIND] = TRY_UNWIND,
	                                       [HANDLER_UNEXPECTED] = TRY_UNEXPECTED,
	                                       [HANDLER_WHEN] = TRY_WHEN};
	if (use->kind == ATTR_ENUM && use->enum_class == ENUM_HANDLER)
		return words[use->bits];
	return use->kind == ATTR_ARRAY ? TRY_FILTER : TRY_TYPE;
}

/* Fills *h from its index; `region`: the number of its first one. */
static bool settle(TryHandler *h, uint32_t region)
{
	const IrAttr *uses = handlers(h->op);
	if (!uses || h->index >= uses->n)
		return false;
	h->use = uses->elems[h->index];
	h->kind = kind_of(h->use);
	bool when = h->kind == TRY_WHEN;
	if (region + when >= h->op->nregions)
		return false;
	h->filter = when ? &h->op->regions[region] : NULL;
	h->region = &h->op->regions[region + when];
	return true;
}

bool ir_try_first(const IrOp *op, TryHandler *h)
{
	*h = (TryHandler){.op = op};
	return settle(h, 1);
}

bool ir_try_next(TryHandler *h)
{
	h->index++;
	return settle(h, (uint32_t)(h->region - h->op->regions) + 1);
}

IrRegion *ir_try_finally(const IrOp *op)
{
	return op->nregions > 1 && ir_op_has(op, NAME_finally) ? &op->regions[op->nregions - 1] : NULL;
}

bool ir_try_is_whole(const IrOp *op)
{
	const IrAttr *uses = ir_op_attr(op, NAME_handler_types);
	uint32_t nregions = 1 + ir_op_has(op, NAME_finally);
	if (uses && uses->kind != ATTR_ARRAY)
		return false;
	for (uint32_t i = 0; uses && i < uses->n; i++)
		nregions += kind_of(uses->elems[i]) == TRY_WHEN ? 2 : 1;
	return op->nregions == nregions;
}

/* Without a `when` the place of a region tells its handler: wide ops are asked about each of theirs. */
static bool find_handler(const IrRegion *r, TryHandler *h)
{
	const IrOp *op = r->op;
	uint32_t n = ir_try_nhandlers(op), i = (uint32_t)(r - op->regions);
	if (op->nregions == 1 + n + ir_op_has(op, NAME_finally)) {
		*h = (TryHandler){.op = op, .index = i - 1};
		return settle(h, i) && !h->filter;
	}
	IR_FOR_HANDLERS(h, op)
	if (h->region == r || h->filter == r)
		return true;
	return false;
}

TryRole ir_try_role(const IrRegion *r, TryHandler *h)
{
	const IrOp *op = r->op;
	if (!op || op->kind != OP_TRY || !op->nregions)
		return TRY_ROLE_NONE;
	if (r == &op->regions[0])
		return TRY_ROLE_BODY;
	if (r == ir_try_finally(op))
		return TRY_ROLE_FINALLY;
	if (!find_handler(r, h))
		return TRY_ROLE_NONE;
	return h->region == r ? TRY_ROLE_HANDLER : TRY_ROLE_FILTER;
}
