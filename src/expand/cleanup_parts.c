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

enum { PARTS = 64 }; /* a front end has no more of them in one expression */

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
static uint32_t find_parts(const IrRegion *cleanup, const Name *name, IrOp *ends[PARTS])
{
	uint32_t n = 0;
	const IrOp *op = cleanup->first && cleanup->first == cleanup->last ? cleanup->first->first : NULL;
	for (; op && op->kind != OP_YIELD; op = ends[n++]->next)
		if (n == PARTS || !(ends[n] = end_of_part(op, name)))
			return 0;
	return op ? n : 0;
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

static bool needs_scopes(IrOp *const *ends, uint32_t n)
{
	for (uint32_t i = 0; i + 1 < n; i++)
		if (may_throw(ends[i]))
			return true;
	return false;
}

void expand_cleanup_parts(IrModule *m)
{
	const Name *name = name_find(&m->names, STR("cleanup.cond"));
	if (!name || !m->made[OP_CLEANUP_SCOPE])
		return;
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body)) {
		if (op->kind != OP_CLEANUP_SCOPE || ir_op_enum(op, NAME_kind, CLEANUP_NORMAL) != CLEANUP_ALL)
			continue;
		IrOp *ends[PARTS];
		uint32_t n = find_parts(&op->regions[1], name, ends);
		bool needs = needs_scopes(ends, n);
		for (uint32_t i = 0; needs && i + 1 < n; i++)
			wrap_body(m, op, ends[i]);
	}
}
