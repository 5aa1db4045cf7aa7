#include "ir/debug_scope.h"

static uint32_t open_scope(IrModule *m, const IrOp *op)
{
	uint32_t parent = op->loc.scope, depth = parent ? ir_scope(m, parent)->depth + 1 : 1;
	if (depth > SCOPE_DEPTH_MAX)
		return parent;
	vec_push(&m->arena, &m->scopes, ((IrScope){.parent = parent, .depth = depth, .loc = op->loc}));
	return m->scopes.len;
}

static void enter_region(IrModule *m, const IrOp *op, const IrRegion *r)
{
	uint32_t scope = op_info[op->kind].flags & OPF_BLOCK ? open_scope(m, op) : op->loc.scope;
	IR_FOR_BLOCKS (b, r) {
		b->loc.scope = scope;
		IR_FOR_OPS (inner, b)
			inner->loc.scope = scope;
	}
}

void ir_func_find_scopes(IrModule *m, IrOp *func)
{
	const IrRegion *body = &func->regions[0];
	/* Each op comes before what it contains. */
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		for (uint32_t i = 0; i < op->nregions; i++)
			if (op->regions[i].first)
				enter_region(m, op, &op->regions[i]);
}
