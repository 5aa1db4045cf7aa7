/* Cleanup scopes that only end the lifetimes of variables, and that a cir.goto, or a switch, jumps into, past where those begin:
 *
 * 	cir.lifetime.start %x
 * 	cir.cleanup.scope { cir.label "again" … } cleanup normal { cir.lifetime.end %x }
 * 	cir.goto "again"
 *
 * Such variables have no lifetime that starts on every way to where it ends: they live as long as the function does. The
 * scope has nothing to clean up then, and is a cir.scope.
 */
#include "flatten/internal.h"

#include "ir/lifetime.h"

static void forget_lifetime(IrValue *variable)
{
	for (IrUse *u = variable->uses, *next; u; u = next) {
		next = u->next;
		if (u->user->kind == OP_LIFETIME_START || u->user->kind == OP_LIFETIME_END)
			ir_op_erase(u->user);
	}
}

/* It becomes a cir.scope. */
static void forget_lifetimes_of(IrModule *m, IrOp *scope)
{
	const IrBlock *cleanup = scope->regions[1].first;
	while (cleanup->first->kind == OP_LIFETIME_END)
		forget_lifetime(ir_operand(cleanup->first, 0));
	IrBuilder b = ir_before(m, scope);
	IrRegion *from = &scope->regions[0], *to = &ir_build_regions(&b, OP_SCOPE, NULL, NULL, 1)->regions[0];
	to->first = from->first;
	to->last = from->last;
	from->first = from->last = NULL;
	IR_FOR_BLOCKS (block, to)
		block->region = to;
	ir_op_erase(scope);
}

/* Those around op get it as their mark. */
static void mark_around(PtrMap *marks, IrOp *op, Arena *mem)
{
	for (IrOp *at = op; at; at = ir_op_parent(at))
		ptrmap_put(mem, marks, at, op);
}

static void enter(IrModule *m, IrOp *jump, IrOp *label, PtrMap *marks, Arena *mem)
{
	mark_around(marks, jump, mem);
	for (IrOp *at = label, *up; at && ptrmap_get(marks, at) != jump; at = up) {
		up = ir_op_parent(at);
		if (at->kind == OP_CLEANUP_SCOPE && ir_only_ends_lifetimes(at))
			forget_lifetimes_of(m, at);
	}
}

/* The verifier has seen to it that there is nothing else between a switch and its case that must not be jumped into. */
static void enter_case(IrModule *m, const IrOp *op)
{
	for (IrOp *at = ir_op_parent(op), *up; at && at->kind != OP_SWITCH; at = up) {
		up = ir_op_parent(at);
		if (at->kind == OP_CLEANUP_SCOPE && ir_only_ends_lifetimes(at))
			forget_lifetimes_of(m, at);
	}
}

void flatten_forget_bypassed_lifetimes(IrModule *m, IrOp *func, Arena *mem)
{
	PtrMap labels = {0}, marks = {0};
	const IrRegion *body = &func->regions[0];
	if (!m->made[OP_LIFETIME_END] || (!m->made[OP_GOTO] && !m->made[OP_CASE]))
		return;
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		if (op->kind == OP_LABEL)
			ptrmap_put(mem, &labels, ir_op_attr(op, NAME_label)->name, op);
		else if (op->kind == OP_CASE)
			enter_case(m, op);
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		if (op->kind == OP_GOTO)
			enter(m, op, ptrmap_get(&labels, ir_op_attr(op, NAME_label)->name), &marks, mem);
}
