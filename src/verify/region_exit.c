/* Where structured ops may lead (cir-reference 5.7 and 5.10): out of a cleanup region or a filter, only by its
 * end; out of a handler that does not catch, only by unwinding; out of one that does, through its one end_catch; out of
 * a finally, anywhere. Each region knows the innermost of those closed regions around it. */
#include "ir/try.h"
#include "verify/verifier.h"

typedef struct Exits {
	Verifier *v;
	PtrMap closed; /* op → the innermost closed region that it stands in; absent: none */
	PtrMap labels; /* name → cir.label */
} Exits;

bool verifier_is_cleanup_region(const IrRegion *r)
{
	const IrOp *op = r->op;
	uint32_t i = op ? (uint32_t)(r - op->regions) : 0;
	if (!op)
		return false;
	switch (op->kind) {
	case OP_CLEANUP_SCOPE:
		return i == 1;
	case OP_ARRAY_CTOR:
	case OP_ARRAY_DTOR:
		return true;
	case OP_LOCAL_INIT:
	case OP_REGISTER_EXIT_DTOR:
		return true;
	case OP_WHILE:
		return i == 2;
	case OP_FOR:
		return i == 3;
	default:
		return false;
	}
}

bool verifier_is_closed(const IrRegion *r)
{
	return verifier_is_cleanup_region(r) || verifier_goes_on_unwinding(r) || verifier_is_filter(r);
}

static bool initializes(const IrOp *op)
{
	return op->kind == OP_LOCAL_INIT || op->kind == OP_REGISTER_EXIT_DTOR;
}

static bool constructs(const IrOp *op)
{
	return op->kind == OP_ARRAY_CTOR || op->kind == OP_ARRAY_DTOR;
}

bool verifier_is_exit_region(const IrRegion *r)
{
	bool cleanup = verifier_is_cleanup_region(r) && !initializes(r->op) && !constructs(r->op);
	return cleanup || (r->op && r->op->kind == OP_TRY && r == ir_try_finally(r->op));
}

static const IrRegion *closed_around(const Exits *e, const IrOp *op)
{
	const IrRegion *r = op->block->region;
	if (verifier_is_closed(r))
		return r;
	return r->op ? ptrmap_get(&e->closed, r->op) : NULL;
}

static const char *closed_name(const IrRegion *r)
{
	if (verifier_goes_on_unwinding(r))
		return "region that resumes unwinding";
	if (verifier_is_filter(r))
		return "filter region";
	return initializes(r->op) ? "ctor or dtor region" : "cleanup region";
}

void verifier_report_leaving(Verifier *v, const IrOp *op, const IrRegion *closed)
{
	bool cleanup = verifier_is_cleanup_region(closed) && !initializes(closed->op);
	verifier_error(v, op, "jumps out of a %s", closed_name(closed));
	verifier_note(v, closed->op->loc, "the %s belongs to this op", cleanup ? "cleanup" : "region");
}

static void check_goto(Exits *e, const IrOp *op)
{
	const IrRegion *from = closed_around(e, op);
	const IrOp *label = ptrmap_get(&e->labels, ir_op_attr(op, NAME_label)->name);
	const IrRegion *to = label ? closed_around(e, label) : NULL;
	if (!label || from == to)
		return;
	if (from) {
		verifier_report_leaving(e->v, op, from);
	} else {
		verifier_error(e->v, op, "jumps into a %s", closed_name(to));
		verifier_note(e->v, label->loc, "the label is here");
	}
}

/* The handler whose exception a resume without operand means; NULL: of none. */
static const IrRegion *handler_around(const IrOp *op)
{
	TryHandler h;
	for (; op && op->block; op = ir_op_parent(op))
		if (ir_try_role(op->block->region, &h) == TRY_ROLE_HANDLER)
			return op->block->region;
	return NULL;
}

/* The end of a cleanup region may be written as a resume without operand (reference 1.9). */
static void check_resume(Exits *e, const IrOp *op)
{
	const IrRegion *closed = closed_around(e, op), *own = op->block->region;
	if (!op->noperands && own == closed && verifier_is_cleanup_region(own) && !initializes(own->op))
		return;
	const IrValue *token = op->noperands ? ir_operand(op, 0) : NULL;
	const IrRegion *handler =
	    token ? (token->is_arg ? token->def.block->region : NULL) : handler_around(op);
	if (!handler || !handler->op || handler->op->kind != OP_TRY)
		verifier_error(
		    e->v, op,
		    ": the operand must be the token of a handler or cleanup that contains this op");
	else if (!verifier_goes_on_unwinding(handler))
		verifier_error(
		    e->v, op,
		    "resumes an exception that its handler has caught; write 'cir.throw' without an operand");
	else if (closed != handler)
		verifier_report_leaving(e->v, op, closed ? closed : handler);
}

static void note_closed(Exits *e, const IrOp *op)
{
	const IrRegion *closed = op->nregions ? closed_around(e, op) : NULL;
	if (closed)
		ptrmap_put(e->v->arena, &e->closed, op, (void *)(uintptr_t)closed);
}

static void check_op(Exits *e, const IrOp *op)
{
	const IrRegion *closed;
	switch (op->kind) {
	case OP_RETURN:
		closed = closed_around(e, op);
		if (closed)
			verifier_report_leaving(e->v, op, closed);
		break;
	case OP_INDIRECT_GOTO:
	case OP_INDIRECT_BR:
		closed = closed_around(e, op);
		if (closed)
			verifier_error(e->v, op, "cannot be in a %s", closed_name(closed));
		break;
	case OP_GOTO:
		check_goto(e, op);
		break;
	case OP_RESUME:
		check_resume(e, op);
		break;
	default:
		break;
	}
}

static void check_region(Exits *e, const IrRegion *body)
{
	/* A goto may go to a label further down: what it stands in must be known by then. */
	for (const IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		note_closed(e, op);
	for (const IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		check_op(e, op);
}

void verifier_check_exits(Verifier *v)
{
	Exits e = {.v = v};
	if (!v->closed && !v->m->made[OP_RESUME])
		return;
	for (uint32_t i = 0; i < v->labels.len; i++) {
		const IrOp *label = v->labels.data[i];
		ptrmap_put(v->arena, &e.labels, ir_op_attr(label, NAME_label)->name,
		           (void *)(uintptr_t)label);
	}
	for (uint32_t i = 0; i < v->symbol->nregions; i++)
		check_region(&e, &v->symbol->regions[i]);
}

/* Catches */

static const IrOp *first_of_cleanup(const IrOp *op)
{
	const IrBlock *b = op->kind == OP_CLEANUP_SCOPE ? op->regions[1].first : NULL;
	return b ? b->first : NULL;
}

/* The one end of a catch stands behind it in its block, or first in the cleanup of a scope behind it. */
void verifier_check_catch(Verifier *v, const IrOp *begin)
{
	const IrOp *end = NULL;
	IR_FOR_USES (u, &begin->results[0]) {
		if (u->user->kind != OP_END_CATCH)
			continue;
		if (end) {
			verifier_error(v, begin, "is ended by more than one 'cir.end_catch'; keep one");
			verifier_note(v, u->user->loc, "one is here");
			verifier_note(v, end->loc, "another is here");
			return;
		}
		end = u->user;
	}
	if (!end) {
		verifier_error(v, begin,
		               "begins a catch that is never ended; add 'cir.end_catch' after it, or at the "
		               "beginning of the cleanup region of the enclosing 'cir.cleanup.scope'");
		return;
	}
	for (const IrOp *op = begin->next; op; op = op->next)
		if (op == end || first_of_cleanup(op) == end)
			return;
	verifier_error(v, end,
	               "must be in the block of its 'cir.begin_catch', or the first operation of the cleanup "
	               "region of a 'cir.cleanup.scope' in that block");
	verifier_note(v, begin->loc, "the catch begins here");
}
