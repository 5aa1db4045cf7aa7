/* Cleanup scopes that only end the lifetimes of variables, and that a cir.goto, a cir.indirect_goto or a switch jumps
 * into, past where those begin:
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

typedef struct Jumps {
	const Flatten *f;
	Arena *mem;
	VEC(IrOp *) bypassed; /* cleanup scopes */
	PtrMap entered;       /* ops that a jump goes into: the next one around that is not known to be */
	PtrMap labels;        /* by name */
	PtrMap numbers;       /* ops: from 1, in the order of the text */
	VEC(uint32_t) ends;   /* by number: that of the last op inside */
} Jumps;

static uint32_t number_of(const Jumps *j, const IrOp *op)
{
	return (uint32_t)(uintptr_t)ptrmap_get(&j->numbers, op);
}

static void number_ops(Jumps *j, const IrRegion *body)
{
	VEC(const IrOp *) order = {0};
	vec_push(j->mem, &order, NULL);
	vec_push(j->mem, &j->ends, 0);
	for (const IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body)) {
		ptrmap_put(j->mem, &j->numbers, op, (void *)(uintptr_t)order.len);
		vec_push(j->mem, &j->ends, order.len);
		vec_push(j->mem, &order, op);
	}
	for (uint32_t i = order.len; i-- > 1;) {
		uint32_t *around = &j->ends.data[number_of(j, ir_op_parent(order.data[i]))];
		if (*around < j->ends.data[i])
			*around = j->ends.data[i];
	}
}

/* Once for each op, so that jumps that go into the same ones cost nothing. */
static void enter_op(Jumps *j, IrOp *op)
{
	ptrmap_put(j->mem, &j->entered, op, ir_op_parent(op));
	if (op->kind == OP_CLEANUP_SCOPE && ir_only_ends_lifetimes(op))
		vec_push(j->mem, &j->bypassed, op);
}

/* The first op, from op outwards, that no jump is known to go into. Halves the way there for the next time. */
static IrOp *first_not_entered(Jumps *j, IrOp *op)
{
	for (IrOp *up; (up = ptrmap_get(&j->entered, op)); op = up) {
		IrOp *above = ptrmap_get(&j->entered, up);
		if (above)
			ptrmap_put(j->mem, &j->entered, op, above);
	}
	return op;
}

static void enter_label(Jumps *j, const IrOp *jump, IrOp *label)
{
	uint32_t from = number_of(j, jump);
	for (IrOp *at = label; (at = first_not_entered(j, at)) != j->f->func;) {
		uint32_t first = number_of(j, at);
		if (first <= from && from <= j->ends.data[first])
			return;
		enter_op(j, at);
	}
}

/* The verifier has seen to it that there is nothing else between a switch and its case that must not be jumped into. Before any
 * other jump: what is entered is so up to the switch. */
static void enter_case(Jumps *j, const IrOp *op)
{
	for (IrOp *at = ir_op_parent(op); at && at->kind != OP_SWITCH && !ptrmap_get(&j->entered, at);
	     at = ir_op_parent(at))
		enter_op(j, at);
}

static bool is_taken(const Jumps *j, const IrOp *op)
{
	return op->kind == OP_LABEL && flatten_address_is_taken(j->f, ir_op_attr(op, NAME_label)->name);
}

/* Each cir.indirect_goto may jump to each label whose address is taken: past the begin, or the end, of what has some of
 * them, but not all, inside. */
static void enter_indirectly(Jumps *j, const IrRegion *body)
{
	VEC(uint32_t) before = {0}; /* by number: how many of them come earlier */
	uint32_t n = 0;
	vec_push(j->mem, &before, 0);
	for (const IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body)) {
		vec_push(j->mem, &before, n);
		n += op->kind == OP_INDIRECT_GOTO || is_taken(j, op);
	}
	vec_push(j->mem, &before, n);
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body)) {
		uint32_t first = number_of(j, op),
		         inside = before.data[j->ends.data[first] + 1] - before.data[first];
		if (inside && inside < n && !ptrmap_get(&j->entered, op))
			enter_op(j, op);
	}
}

static void enter_labels(Jumps *j, const IrRegion *body)
{
	bool indirect = false;
	number_ops(j, body);
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body)) {
		indirect |= op->kind == OP_INDIRECT_GOTO;
		if (op->kind == OP_GOTO)
			enter_label(j, op, ptrmap_get(&j->labels, ir_op_attr(op, NAME_label)->name));
	}
	if (indirect)
		enter_indirectly(j, body);
}

void flatten_forget_bypassed_lifetimes(const Flatten *f)
{
	IrModule *m = f->m;
	const IrRegion *body = &f->func->regions[0];
	Jumps j = {.f = f, .mem = f->mem};
	if (!m->made[OP_LIFETIME_END] ||
	    (!m->made[OP_GOTO] && !m->made[OP_INDIRECT_GOTO] && !m->made[OP_CASE]))
		return;
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		if (op->kind == OP_LABEL)
			ptrmap_put(f->mem, &j.labels, ir_op_attr(op, NAME_label)->name, op);
		else if (op->kind == OP_CASE)
			enter_case(&j, op);
	if (j.labels.len)
		enter_labels(&j, body);
	for (uint32_t i = 0; i < j.bypassed.len; i++)
		forget_lifetimes_of(m, j.bypassed.data[i]);
}
