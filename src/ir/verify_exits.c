/* Where structured ops may lead (cir-reference 5.7 and 5.10): out of a cleanup region, only by its end; out of a handler,
 * through its one end_catch. Each region knows the innermost cleanup region around it. */
#include "ir/verifier.h"

typedef struct Exits {
	Verifier *v;
	PtrMap cleanups; /* op → the innermost cleanup region that it stands in; absent: none */
	PtrMap labels;   /* name → cir.label */
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

static const IrRegion *cleanup_around(const Exits *e, const IrOp *op)
{
	const IrRegion *r = op->block->region;
	if (verifier_is_cleanup_region(r))
		return r;
	return r->op ? ptrmap_get(&e->cleanups, r->op) : NULL;
}

static bool initializes(const IrOp *op)
{
	return op->kind == OP_LOCAL_INIT || op->kind == OP_REGISTER_EXIT_DTOR;
}

void verifier_report_leaving(Verifier *v, const IrOp *op, const IrRegion *cleanup)
{
	bool init = initializes(cleanup->op);
	verifier_error(v, op, "leaves a %s", init ? "ctor or dtor region" : "cleanup region");
	verifier_note(v, cleanup->op->loc, "the %s belongs to this op", init ? "region" : "cleanup");
}

static void check_goto(Exits *e, const IrOp *op)
{
	const IrRegion *from = cleanup_around(e, op);
	const IrOp *label = ptrmap_get(&e->labels, ir_op_attr(op, NAME_label)->name);
	const IrRegion *to = label ? cleanup_around(e, label) : NULL;
	if (!label || from == to)
		return;
	if (from) {
		verifier_report_leaving(e->v, op, from);
	} else {
		verifier_error(e->v, op, "jumps into a %s",
		               initializes(to->op) ? "ctor or dtor region" : "cleanup region");
		verifier_note(e->v, label->loc, "the label is here");
	}
}

/* The end of a cleanup region may be written as a resume without operand (reference 1.9). */
static void check_resume(Exits *e, const IrOp *op)
{
	const IrRegion *cleanup = cleanup_around(e, op);
	if (!cleanup)
		return;
	if (!op->noperands && op->block->region == cleanup)
		return;
	const IrValue *token = op->noperands ? ir_operand(op, 0) : NULL;
	const IrBlock *home = token && token->is_arg ? token->def.block : NULL;
	const IrOp *handler = home && home->region ? home->region->op : NULL;
	if (!handler || handler->kind != OP_TRY || cleanup_around(e, handler) != cleanup)
		verifier_report_leaving(e->v, op, cleanup);
}

static void note_cleanup(Exits *e, const IrOp *op)
{
	const IrRegion *cleanup = op->nregions ? cleanup_around(e, op) : NULL;
	if (cleanup)
		ptrmap_put(e->v->arena, &e->cleanups, op, (void *)(uintptr_t)cleanup);
}

static void check_op(Exits *e, const IrOp *op)
{
	const IrRegion *cleanup = cleanup_around(e, op);
	if (op->kind == OP_RETURN && cleanup)
		verifier_report_leaving(e->v, op, cleanup);
	else if ((op->kind == OP_INDIRECT_GOTO || op->kind == OP_INDIRECT_BR) && cleanup)
		verifier_error(e->v, op, "is not allowed in a cleanup region");
	else if (op->kind == OP_GOTO)
		check_goto(e, op);
	else if (op->kind == OP_RESUME)
		check_resume(e, op);
}

void verifier_check_exits(Verifier *v)
{
	Exits e = {.v = v};
	for (uint32_t i = 0; i < v->labels.len; i++) {
		const IrOp *label = v->labels.data[i];
		ptrmap_put(v->arena, &e.labels, ir_op_attr(label, NAME_label)->name,
		           (void *)(uintptr_t)label);
	}
	const IrRegion *body = &v->symbol->regions[0];
	/* A goto may go to a label further down: what it stands in must be known by then. */
	for (const IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		note_cleanup(&e, op);
	for (const IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		check_op(&e, op);
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
			verifier_error(v, begin, "is ended by more than one 'cir.end_catch'");
			verifier_note(v, u->user->loc, "one is here");
			verifier_note(v, end->loc, "another is here");
			return;
		}
		end = u->user;
	}
	if (!end) {
		verifier_error(v, begin, "is ended by no 'cir.end_catch'");
		return;
	}
	for (const IrOp *op = begin->next; op; op = op->next)
		if (op == end || first_of_cleanup(op) == end)
			return;
	verifier_error(v, end,
	               "must stand in the block of its 'cir.begin_catch', or be the first operation of the "
	               "cleanup region of a 'cir.cleanup.scope' there");
	verifier_note(v, begin->loc, "the catch begins here");
}
