/* flatten/label.c: the labels of a region, before it is walked. */
#include "flatten/internal.h"

#include "ir/nearest_region.h"

Name *flatten_label_name(const IrOp *op)
{
	return ir_op_attr(op, NAME_label)->name;
}

/* A block address is an attribute, and attributes are interned: those of the module's
 * table are all there are. */
bool flatten_address_is_taken(const Flatten *f, const Name *label)
{
	const PtrMap *labels = ptrmap_get(f->addresses, ir_symbol_name(f->func));
	return labels && ptrmap_get(labels, label);
}

static bool is_cleaned_up(void *user, const IrRegion *r)
{
	(void)user;
	return r->op && cleanup_on_normal_exit(r);
}

static const IrOp *cleanup_around(Flatten *f, const IrOp *op)
{
	const IrRegion *r = ir_nearest(f->mem, &f->cleaned_up, op, is_cleaned_up, NULL);
	return r ? r->op : NULL;
}

void flatten_find_labels(Flatten *f, const IrRegion *region)
{
	f->labels = f->cleaned_up = (PtrMap){0};
	for (IrOp *op = ir_walk_first(region); op; op = ir_walk_next(op, region)) {
		if (op->kind != OP_LABEL)
			continue;
		Label *l = arena_new(f->mem, Label);
		l->loc = op->loc;
		l->block = flatten_block(f, op);
		l->cleanup = cleanup_around(f, op);
		l->stays = flatten_address_is_taken(f, flatten_label_name(op));
		vec_push(f->mem, &f->targets, l);
		ptrmap_put(f->mem, &f->labels, flatten_label_name(op), l);
	}
}
