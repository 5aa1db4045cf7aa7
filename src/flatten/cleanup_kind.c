/* flatten/cleanup_kind.c: on which paths out of a region its cleanup runs. */
#include "flatten/internal.h"

#include "ir/try.h"

/* A region that ends a catch runs on every path, whatever it is marked (cir-reference 5.10, end_catch). */
static bool ends_catch(const IrRegion *r)
{
	return r->first && r->first->first && r->first->first->kind == OP_END_CATCH;
}

unsigned cleanup_kind(unsigned kind, const IrRegion *r)
{
	return ends_catch(r) ? CLEANUP_ALL : kind;
}

bool cleanup_on_normal_exit(const IrRegion *r)
{
	const IrOp *op = r->op;
	if (op->kind == OP_TRY)
		return r == &op->regions[0] && ir_try_finally(op);
	if (r == &op->regions[op->nregions - 1]) /* the cleanup itself */
		return false;
	if (op->kind == OP_CLEANUP_SCOPE)
		return cleanup_kind(ir_op_enum(op, NAME_kind, CLEANUP_ALL), &op->regions[1]) != CLEANUP_EH;
	return (op_info[op->kind].flags & OPF_LOOP) && ir_op_has(op, NAME_cleanup_kind);
}
