/* Comparisons of a selector after its exception was caught: in a catch, or later. They read the number of the type that was caught, from a slot
 * that each selector has: of a pad, an argument of a block, a variable of -O0, or what is loaded from one. While an exception is in flight
 * its number is not known: the catch that takes it writes it to the slots of all selectors that the exception has passed. Elsewhere a selector
 * that another one becomes has its slot copied. */
#include "lift/lifter.h"

static bool in_flight(const Context *c)
{
	return c && c->flight;
}

/* Where the selector comes from, in a value or a pair. */
static IrValue *origin(const Lift *l, IrValue *v)
{
	while (!v->is_arg) {
		IrOp *op = v->def.op;
		bool sets = op->kind == OP_INSERT_MEMBER && lift_part(l, ir_operand(op, 1)) == PART_SELECTOR;
		if (sets)
			v = ir_operand(op, 1);
		else if (op->kind == OP_INSERT_MEMBER || op->kind == OP_EXTRACT_MEMBER ||
		         op->kind == OP_CAST || op->kind == OP_FREEZE)
			v = ir_operand(op, 0);
		else
			break;
	}
	return v;
}

static bool has_number(const Lift *l, const IrValue *v)
{
	Part p = lift_part(l, v);
	return p == PART_SELECTOR || p == PART_PAIR;
}

IrValue *lift_number_slot(const Lift *l, IrValue *selector)
{
	return ptrmap_get(&l->numbers, origin(l, selector));
}

/* Sources */

typedef VEC(IrValue *) Values;

static void add(const Lift *l, Values *to, IrValue *v)
{
	if (has_number(l, v))
		vec_push(l->mem, to, origin(l, v));
}

/* The selectors that a test compares. */
static void add_selectors(const Lift *l, IrValue *test, Values *to)
{
	if (lift_part(l, test) == PART_SELECTOR)
		add(l, to, test);
	if (lift_part(l, test) != PART_TEST)
		return;
	for (uint32_t i = 0; i < test->def.op->noperands; i++)
		add_selectors(l, ir_operand(test->def.op, i), to);
}

/* What v may be: v is an origin, or the address of a variable. */
static void add_sources(const Lift *l, IrValue *v, Values *to)
{
	if (v->is_arg) {
		uint32_t at = 0;
		while (v->def.block->args[at] != v)
			at++;
		IR_FOR_PREDS(e, v->def.block)
		add(l, to, ir_succ_arg(e, at));
	} else if (v->def.op->kind == OP_LOAD) {
		vec_push(l->mem, to, ir_operand(v->def.op, 0));
	} else if (v->def.op->kind == OP_ALLOCA) {
		IR_FOR_USES (u, v)
			if (u->user->kind == OP_STORE)
				add(l, to, ir_operand(u->user, 0));
	}
}

void lift_find_pads(const Lift *l, IrValue *test, PadList *out)
{
	Values work = {0};
	PtrMap seen = {0};
	add_selectors(l, test, &work);
	while (work.len) {
		IrValue *v = work.data[--work.len];
		if (ptrmap_get(&seen, v))
			continue;
		ptrmap_put(l->mem, &seen, v, v);
		if (!v->is_arg && lift_is_pad(v->def.op))
			vec_push(l->mem, out, v->def.op);
		add_sources(l, v, &work);
	}
}

/* Before the copies: which selectors have a slot */

static void give_slots(Lift *l, Values *work)
{
	while (work->len) {
		IrValue *v = work->data[--work->len];
		if (ptrmap_get(&l->numbers, v))
			continue;
		IrBuilder entry = ir_before(l->m, l->func->regions[0].first->first);
		ptrmap_put(l->mem, &l->numbers, v, ir_build_alloca(&entry, l->m->u32, STR("__caught"), 0));
		add_sources(l, v, work);
	}
}

static bool runs_outside(const Lift *l, const IrBlock *b)
{
	for (const Node *n = ptrmap_get(&l->of_block, b); n; n = n->other)
		if (!n->dispatch && !in_flight(n->context))
			return true;
	return false;
}

static bool makes_test(const Lift *l, const IrOp *op)
{
	return op->nresults && lift_part(l, &op->results[0]) == PART_TEST;
}

static void find_needed(Lift *l)
{
	Values work = {0};
	IR_FOR_BLOCKS (b, &l->func->regions[0]) {
		if (!runs_outside(l, b))
			continue;
		IR_FOR_OPS (op, b)
			for (uint32_t i = 0; i < op->noperands && !makes_test(l, op); i++)
				if (lift_part(l, ir_operand(op, i)) == PART_TEST)
					add_selectors(l, ir_operand(op, i), &work);
	}
	give_slots(l, &work);
}

/* Slots that the block's selectors have. */
static void add_slots(const Lift *l, const IrBlock *b, Values *slots)
{
	for (uint32_t i = 0; i < b->nargs; i++)
		vec_push(l->mem, slots, ptrmap_get(&l->numbers, b->args[i]));
	IR_FOR_OPS (op, b) {
		for (uint32_t i = 0; i < op->nresults && op->kind != OP_ALLOCA; i++)
			vec_push(l->mem, slots, ptrmap_get(&l->numbers, &op->results[i]));
		if (op->kind == OP_STORE)
			vec_push(l->mem, slots, ptrmap_get(&l->numbers, ir_operand(op, 1)));
	}
}

static void give(const Lift *l, const Context *c, const Values *slots)
{
	Catch *made = c->made;
	for (uint32_t i = 0; i < slots->len; i++) {
		bool known = !slots->data[i];
		for (uint32_t k = 0; k < made->slots.len && !known; k++)
			known = made->slots.data[k] == slots->data[i];
		if (!known)
			vec_push(l->mem, &made->slots, slots->data[i]);
	}
}

typedef struct Flight {
	const Lift *l;
	const Values *slots;
	NodeList work;
	PtrMap seen;
} Flight;

static void arrive(Flight *f, Node *to)
{
	if (!to || ptrmap_get(&f->seen, to))
		return;
	ptrmap_put(f->l->mem, &f->seen, to, to);
	if (in_flight(to->context))
		vec_push(f->l->mem, &f->work, to);
	else if (to->context && to->context->made)
		give(f->l, to->context, f->slots);
}

static void leave(Flight *f, const Node *n)
{
	if (n->dispatch) {
		for (uint32_t i = 0; i < n->dispatch->clauses.len; i++)
			arrive(f, n->dispatch->clauses.data[i].to);
		arrive(f, n->dispatch->none.to);
		return;
	}
	const IrOp *last = n->block->last;
	for (uint32_t i = 0; i < last->nsuccs; i++)
		if (!ir_op_has_unwind_edge(last) || i == 0)
			arrive(f, n->succs[i]);
}

/* All catches that an exception may come to that passes n. */
static void follow(const Lift *l, Node *n)
{
	Values slots = {0};
	add_slots(l, n->block, &slots);
	bool any = false;
	for (uint32_t i = 0; i < slots.len; i++)
		any |= slots.data[i] != NULL;
	if (!any)
		return;
	Flight f = {.l = l, .slots = &slots};
	arrive(&f, n);
	while (f.work.len)
		leave(&f, f.work.data[--f.work.len]);
}

/* The blocks between a dispatch and a catch that are not written. */
static void follow_clause(const Lift *l, const Clause *c)
{
	Values slots = {0};
	for (const IrBlock *b = c->from; b != c->dest; b = b->last->succs[0].dest)
		add_slots(l, b, &slots);
	if (c->to->context && c->to->context->made)
		give(l, c->to->context, &slots);
}

static void follow_dispatch(const Lift *l, const Dispatch *d)
{
	for (uint32_t i = 0; i < d->clauses.len; i++)
		follow_clause(l, &d->clauses.data[i]);
	follow_clause(l, &d->none);
}

void lift_find_numbers(Lift *l)
{
	l->numbers = (PtrMap){0};
	find_needed(l);
	for (uint32_t i = 0; i < l->nodes.len; i++) {
		Node *n = l->nodes.data[i];
		if (n->dispatch)
			follow_dispatch(l, n->dispatch);
		else if (in_flight(n->context))
			follow(l, n);
	}
}

void lift_copy_number(Lift *l, const IrValue *from, const IrValue *to)
{
	void *slot = ptrmap_get(&l->numbers, from);
	if (slot)
		ptrmap_put(l->mem, &l->numbers, to, slot);
}

/* Outside of the flight */

static void copy_number(Lift *l, IrOp *before, IrValue *from, IrValue *to)
{
	if (!from || !to || from == to)
		return;
	IrBuilder b = ir_before(l->m, before);
	ir_build_store(&b, ir_build_load(&b, from), to);
}

void lift_write_number(Lift *l, IrOp *op, const Context *c)
{
	if (in_flight(c))
		return;
	if (op->kind == OP_LOAD)
		copy_number(l, op, ptrmap_get(&l->numbers, ir_operand(op, 0)),
		            ptrmap_get(&l->numbers, &op->results[0]));
	else if (op->kind == OP_STORE && has_number(l, ir_operand(op, 0)))
		copy_number(l, op, lift_number_slot(l, ir_operand(op, 0)),
		            ptrmap_get(&l->numbers, ir_operand(op, 1)));
}

bool lift_edge_has_number(const Lift *l, const IrSucc *s, const Context *c)
{
	for (uint32_t i = 0; !in_flight(c) && i < s->nargs; i++)
		if (ptrmap_get(&l->numbers, s->dest->args[i]))
			return true;
	return false;
}

/* Arguments take their values all at once. */
void lift_write_edge_numbers(Lift *l, const IrSucc *s)
{
	IrBuilder b = ir_before(l->m, s->op);
	IrValue **numbers = arena_array(l->mem, IrValue *, s->nargs);
	for (uint32_t i = 0; i < s->nargs; i++) {
		IrValue *v = ir_succ_arg(s, i), *to = ptrmap_get(&l->numbers, s->dest->args[i]);
		IrValue *from = to && has_number(l, v) ? lift_number_slot(l, v) : NULL;
		numbers[i] = from && from != to ? ir_build_load(&b, from) : NULL;
	}
	for (uint32_t i = 0; i < s->nargs; i++)
		if (numbers[i])
			ir_build_store(&b, numbers[i], ptrmap_get(&l->numbers, s->dest->args[i]));
}
