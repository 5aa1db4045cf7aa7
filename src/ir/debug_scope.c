#include "ir/debug_scope.h"

static uint32_t open_scope(IrModule *m, const IrOp *op)
{
	uint32_t parent = op->loc.scope, depth = parent ? ir_scope(m, parent)->depth + 1 : 1;
	if (depth > SCOPE_DEPTH_MAX)
		return parent;
	vec_push(&m->arena, &m->scopes, ((IrScope){.parent = parent, .depth = depth, .loc = op->loc}));
	return m->scopes.len;
}

/* An `unwinding` copy in a region that is copied itself stays one. */
static bool is_unwinding(const IrModule *m, const IrOp *op, const IrRegion *r)
{
	uint32_t before = r->first->loc.scope;
	return before && before != op->loc.scope && ir_scope(m, before)->unwinding;
}

static void enter_region(IrModule *m, const IrOp *op, const IrRegion *r)
{
	bool unwinding = is_unwinding(m, op, r);
	uint32_t scope = op_info[op->kind].flags & OPF_BLOCK ? open_scope(m, op) : op->loc.scope;
	if (unwinding && scope != op->loc.scope)
		m->scopes.data[scope - 1].unwinding = true;
	IR_FOR_BLOCKS (b, r) {
		b->loc.scope = scope;
		IR_FOR_OPS (inner, b)
			inner->loc.scope = scope;
	}
}

static void find_in(IrModule *m, const IrRegion *body)
{
	/* Each op comes before what it contains. */
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		for (uint32_t i = 0; i < op->nregions; i++)
			if (op->regions[i].first)
				enter_region(m, op, &op->regions[i]);
}

void ir_func_find_scopes(IrModule *m, IrOp *func)
{
	find_in(m, &func->regions[0]);
}

void ir_copy_find_scopes(IrModule *m, IrOp *copy)
{
	IrRegion *r = &copy->regions[0];
	enter_region(m, copy, r);
	if (r->first->loc.scope != copy->loc.scope)
		m->scopes.data[r->first->loc.scope - 1].unwinding = true;
	find_in(m, r);
}
