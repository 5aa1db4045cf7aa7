/* Variables that are what their function returns (the named return value optimization), and a flag that tells the
 * cleanup so: clang has
 *
 *	cir.cleanup.scope { …; %nrvo = true; cir.return } cleanup all { if (!%nrvo) destroy }
 *
 * where an exception out of the destructor of another variable, behind the `return`, leaves the object alive. C++
 * destroys it then ([except.ctor]/2), whatever the flag says:
 *
 *	cir.cleanup.scope {
 *	  cir.cleanup.scope { … } cleanup eh { destroy }
 *	} cleanup normal { if (!%nrvo) destroy }
 *
 * Only where such a destructor may throw: elsewhere the flag is never true when something unwinds. */
#include "repair/internal.h"

#include "ir/catch_region.h"
#include "ir/clone.h"

/* The op behind, if it is of that kind and looks at nothing but v. */
static IrOp *next_on(const IrOp *op, OpKind kind)
{
	IrOp *next = op->next;
	return next && next->kind == kind && ir_operand(next, 0) == &op->results[0] ? next : NULL;
}

static bool is_flag(const IrValue *v)
{
	return repair_is_variable(v, STR("nrvo")) && v->type->elem->kind == TYPE_BOOL;
}

/* Without regions, which would be copied again for each that they are in. */
static bool is_simple(const IrRegion *r)
{
	if (r->first != r->last)
		return false;
	for (const IrOp *op = r->first->first; op; op = op->next)
		if (op->nregions)
			return false;
	return true;
}

/* `if (!%nrvo) destroy`, all that the cleanup is; NULL: it is something else. */
static IrOp *destruction(const IrOp *scope)
{
	const IrBlock *b = scope->regions[1].first;
	const IrOp *load = b && b == scope->regions[1].last ? b->first : NULL;
	if (!load || load->kind != OP_LOAD || !is_flag(ir_operand(load, 0)))
		return NULL;
	const IrOp *negation = next_on(load, OP_NOT);
	IrOp *branch = negation ? next_on(negation, OP_IF) : NULL;
	bool last = branch && branch->next && branch->next->kind == OP_YIELD;
	return last && !branch->regions[1].first && is_simple(&branch->regions[0]) ? branch : NULL;
}

static bool is_nrvo_scope(const IrOp *op)
{
	return op->kind == OP_CLEANUP_SCOPE && ir_op_enum(op, NAME_kind, CLEANUP_NORMAL) == CLEANUP_ALL &&
	       destruction(op);
}

/* The scopes around cleanups that may throw. */
typedef struct Around {
	PtrMap scopes;
	/* ops on the way out: on that to a cleanup; cleanup scopes that it came out of */
	PtrMap seen, entered;
} Around;

/* Walks out of an op that may throw, as far as none has come this way. */
static void walk_out(Repair *r, Around *a, const IrOp *op)
{
	bool in_cleanup = false;
	for (const IrOp *p = ir_op_parent(op); p; op = p, p = ir_op_parent(p)) {
		bool from_cleanup = p->kind == OP_CLEANUP_SCOPE && op->block->region == &p->regions[1];
		PtrMap *way = from_cleanup ? &a->entered : in_cleanup ? &a->scopes : &a->seen;
		if (ptrmap_get(way, p))
			return;
		ptrmap_put(r->mem, way, p, (void *)p);
		in_cleanup |= from_cleanup;
	}
}

static void split(Repair *r, IrOp *scope)
{
	IrModule *m = r->m;
	IrRegion cleanup = {0};
	ir_region_clone(m, &destruction(scope)->regions[0], &cleanup, &m->arena);
	ir_set_enum(m, scope, NAME_kind, ENUM_CLEANUP, CLEANUP_NORMAL);
	ir_wrap_in_cleanup(m, &scope->regions[0], CLEANUP_EH, &cleanup, scope->loc);
}

bool repair_returned_variables(Repair *r)
{
	Around a = {0};
	RepairOps scopes = {0};
	const IrRegion *body = &r->m->body;
	if (!name_find(&r->m->names, STR("nrvo")) || !r->m->made[OP_CLEANUP_SCOPE])
		return true;
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body)) {
		if (is_nrvo_scope(op))
			vec_push(r->mem, &scopes, op);
		if (ir_op_may_throw(op))
			walk_out(r, &a, op);
	}
	for (uint32_t i = 0; i < scopes.len; i++)
		if (ptrmap_get(&a.scopes, scopes.data[i]) && repair_at(r, scopes.data[i]->loc))
			split(r, scopes.data[i]);
	return true;
}
