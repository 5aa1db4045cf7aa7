/* view/scope.c: what an op is for when an exception passes: part of a cleanup or of a handler. Structured CIR says it, and flat code still
 * has the numbers of the ops. What they guard belongs to what is around: handlers of C++ are a guarded body as a whole. */
#include "view/stage.h"

typedef enum ScopeRole { ROLE_NONE, ROLE_CLEANUP, ROLE_HANDLER } ScopeRole;

typedef struct ViewScope {
	const IrOp *op; /* cir.try or cir.cleanup.scope; NULL: none is around it */
	ScopeRole role;
} ViewScope;

static bool begins_scope(const IrRegion *region)
{
	const IrOp *owner = region->op;
	return (owner->kind == OP_TRY || owner->kind == OP_CLEANUP_SCOPE) && region != &owner->regions[0];
}

/* regions: those that were met, which those around one were before it. */
static const ViewScope *scope_of(const IrRegion *region, PtrMap *regions, Arena *mem)
{
	static const ViewScope none = {0};
	const IrOp *owner = region->op;
	const ViewScope *found = owner ? ptrmap_get(regions, region) : &none;
	if (found)
		return found;
	ViewScope *scope = arena_new(mem, ViewScope);
	if (begins_scope(region))
		*scope = (ViewScope){owner, owner->kind == OP_TRY ? ROLE_HANDLER : ROLE_CLEANUP};
	else if (owner->block->region)
		*scope = *scope_of(owner->block->region, regions, mem);
	ptrmap_put(mem, regions, region, scope);
	return scope;
}

/* [op, scope, role, …] */
void scope_data(ViewData *d, const IrModule *m)
{
	PtrMap regions = {0};
	data_key(d, "scopes");
	data_open(d, '[');
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body)) {
		const ViewScope *scope = scope_of(op->block->region, &regions, d->mem);
		if (!scope->op || !op->loc.pos)
			continue;
		data_number(d, op->loc.pos);
		data_number(d, scope->op->loc.pos);
		data_number(d, scope->role);
	}
	data_close(d, ']');
}
