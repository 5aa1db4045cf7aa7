/* The destruction of several temporaries that conditions make. clang prints it as one cleanup of the expression:
 *
 *	cleanup.scope { … } cleanup all { cir.if (%flag2) destroy; cir.if (%flag1) destroy }
 *
 * where the others would stay when a destructor throws ([except.ctor]/2 of the C++ standard has them destroyed). Each gets a
 * scope of its own:
 *
 *	cleanup.scope { cleanup.scope { … } cleanup all { cir.if (%flag2) destroy } } cleanup all { cir.if (%flag1) destroy }
 */
#include "expand/internal.h"

#include "ir/catch.h"

static bool is_flag(const IrOp *load, const Name *name)
{
	const IrValue *v = load->kind == OP_LOAD ? ir_operand(load, 0) : NULL;
	const IrOp *op = v && !v->is_arg && v->def.op->kind == OP_ALLOCA ? v->def.op : NULL;
	const IrAttr *a = op ? ir_op_attr(op, NAME_name) : NULL;
	return a && a->name == name;
}

/* A flag and what it says; NULL: none begins there. */
static IrOp *end_of_part(const IrOp *load, const Name *name)
{
	IrOp *test = is_flag(load, name) ? load->next : NULL;
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
static bool find_parts(Expand *x, const IrRegion *cleanup, const Name *name, OpList *ends)
{
	IrOp *op = cleanup->first && cleanup->first == cleanup->last ? cleanup->first->first : NULL;
	for (; op && op->kind != OP_YIELD; op = op->next) {
		op = end_of_part(op, name);
		if (!op)
			return false;
		vec_push(x->mem, ends, op);
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

static bool needs_scopes(const OpList *ends)
{
	for (uint32_t i = 0; i + 1 < ends->len; i++)
		if (may_throw(ends->data[i]))
			return true;
	return false;
}

static void split_scope(Expand *x, IrOp *scope, const Name *name)
{
	OpList ends = {0};
	if (!find_parts(x, &scope->regions[1], name, &ends) || !needs_scopes(&ends))
		return;
	for (uint32_t i = 0; i + 1 < ends.len; i++)
		wrap_body(x->m, scope, ends.data[i]);
}

void expand_cleanup_parts(Expand *x)
{
	IrModule *m = x->m;
	const Name *name = name_find(&m->names, STR("cleanup.cond"));
	if (!name || !m->made[OP_CLEANUP_SCOPE])
		return;
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		if (op->kind == OP_CLEANUP_SCOPE && ir_op_enum(op, NAME_kind, CLEANUP_NORMAL) == CLEANUP_ALL)
			split_scope(x, op, name);
}
