/* The destruction of several temporaries that conditions make. clang prints it as one cleanup of the expression:
 *
 *	cleanup.scope { … } cleanup all { cir.if (%flag2) destroy; cir.if (%flag1) destroy }
 *
 * where the others would stay when a destructor throws ([except.ctor]/2 of the C++ standard has them destroyed). Each gets a
 * scope of its own:
 *
 *	cleanup.scope { cleanup.scope { … } cleanup all { cir.if (%flag2) destroy } } cleanup all { cir.if (%flag1) destroy }
 */
#include "repair/internal.h"

#include "ir/catch_region.h"

static bool is_flag(const IrOp *load)
{
	return load->kind == OP_LOAD && repair_is_variable(ir_operand(load, 0), STR("cleanup.cond"));
}

/* A flag and what it says; NULL: none begins there. */
static IrOp *end_of_part(const IrOp *load)
{
	IrOp *test = is_flag(load) ? load->next : NULL;
	if (!test || test->kind != OP_IF || ir_operand(test, 0) != &load->results[0])
		return NULL;
	const IrUse *use = load->results[0].uses;
	return use && !use->next ? test : NULL;
}

static bool may_throw(const IrOp *test)
{
	for (uint32_t r = 0; r < test->nregions; r++)
		for (const IrOp *op = ir_walk_first(&test->regions[r]); op;
		     op = ir_walk_next(op, &test->regions[r]))
			if (ir_op_may_throw(op))
				return true;
	return false;
}

/* Does the cleanup do nothing else? Then ends has what each part ends with. */
static bool find_parts(Repair *r, const IrRegion *cleanup, RepairOps *ends)
{
	IrOp *op = cleanup->first && cleanup->first == cleanup->last ? cleanup->first->first : NULL;
	for (; op && op->kind != OP_YIELD; op = op->next) {
		op = end_of_part(op);
		if (!op)
			return false;
		vec_push(r->mem, ends, op);
	}
	return op != NULL;
}

static void move_part(IrOp *end, IrBlock *to)
{
	IrOp *load = end->prev;
	ir_op_remove(load);
	ir_op_remove(end);
	ir_op_append(to, load);
	ir_op_append(to, end);
}

/* The body goes into a scope with that cleanup. */
static void wrap_body(IrModule *m, IrOp *scope, IrOp *end)
{
	IrBuilder b = ir_before(m, scope);
	IrOp *inner = ir_build_regions(&b, OP_CLEANUP_SCOPE, NULL, NULL, 2);
	ir_set_enum(m, inner, NAME_kind, ENUM_CLEANUP, CLEANUP_ALL);
	ir_region_move_blocks(&scope->regions[0], &inner->regions[0]);
	IrBuilder cleanup = ir_in_region(&b, &inner->regions[1]);
	move_part(end, cleanup.block);
	ir_build_yield(&cleanup, NULL);
	IrBuilder body = ir_in_region(&b, &scope->regions[0]);
	ir_op_remove(inner);
	ir_op_append(body.block, inner);
	ir_build_yield(&body, NULL);
}

static bool needs_scopes(const RepairOps *ends)
{
	for (uint32_t i = 0; i + 1 < ends->len; i++)
		if (may_throw(ends->data[i]))
			return true;
	return false;
}

static void split_scope(Repair *r, IrOp *scope)
{
	RepairOps ends = {0};
	if (!find_parts(r, &scope->regions[1], &ends) || !needs_scopes(&ends) || !repair_at(r, scope->loc))
		return;
	for (uint32_t i = 0; i + 1 < ends.len; i++)
		wrap_body(r->m, scope, ends.data[i]);
}

bool repair_cleanup_parts(Repair *r)
{
	IrModule *m = r->m;
	if (!name_find(&m->names, STR("cleanup.cond")) || !m->made[OP_CLEANUP_SCOPE])
		return true;
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		if (op->kind == OP_CLEANUP_SCOPE && ir_op_enum(op, NAME_kind, CLEANUP_NORMAL) == CLEANUP_ALL)
			split_scope(r, op);
	return true;
}
