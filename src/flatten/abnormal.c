/* flatten/abnormal.c: circ.abnormal, whether a cleanup or a finally runs for another exit than the end of the body.
 *
 * On the way of an exception it is true. On the other ways the code is there once: what it is then is known where
 * all exits that pass are of one kind, and else it is asked of the destination slot (scope_exit.c).
 */
#include "flatten/internal.h"

#include "ir/try.h"

/* Does r belong to another cleanup or finally than the one around? */
static bool begins_anew(const IrRegion *r)
{
	const IrOp *op = r->op;
	if (op->kind == OP_TRY)
		return r == ir_try_finally(op);
	bool last = r == &op->regions[op->nregions - 1];
	return last && (op->kind == OP_CLEANUP_SCOPE ||
	                ((op_info[op->kind].flags & OPF_LOOP) && ir_op_has(op, NAME_cleanup_kind)));
}

static bool is_of(const IrOp *op, const IrRegion *region)
{
	for (const IrRegion *r = op->block->region; r != region; r = r->op->block->region)
		if (begins_anew(r))
			return false;
	return true;
}

void flatten_settle_abnormal(IrModule *m, const IrRegion *region, bool value)
{
	if (!m->made[OP_ABNORMAL])
		return;
	for (IrOp *op = ir_walk_first(region), *next; op; op = next) {
		next = ir_walk_next(op, region);
		if (op->kind != OP_ABNORMAL || !is_of(op, region))
			continue;
		IrBuilder b = ir_before(m, op);
		ir_value_replace(&op->results[0], ir_build_const(&b, ir_attr_bool(m, value)));
		ir_op_erase(op);
	}
}

void flatten_abnormal(Flatten *f, IrOp *op)
{
	IrBuilder b = flatten_here(f, op);
	IrValue *v =
	    f->leaving ? exits_are_abnormal(f, f->leaving, &b) : ir_build_const(&b, ir_attr_bool(f->m, true));
	ir_value_replace(&op->results[0], v);
	ir_op_erase(op);
}
