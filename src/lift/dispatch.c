/* What becomes of an exception in flight at a block: which types go where. Each type is sent through the tests on its own, and
 * so is "none of them"; types that end where "none" does are no clauses. */
#include "lift/lifter.h"

bool lift_needs_dispatch(const Lift *l, const IrBlock *b)
{
	return lift_is_branch_on_test(l, b) || lift_begins_catch(l, b);
}

/* May it run for an exception that goes elsewhere, too? */
static bool is_harmless(const Lift *l, const IrOp *op)
{
	return lift_is_plumbing(l, op) || op->kind == OP_LOAD || op->kind == OP_LIFETIME_END ||
	       (op_info[op->kind].flags & OPF_PURE) ||
	       (op->kind == OP_STORE && !ir_operand(op, 1)->is_arg &&
	        ir_operand(op, 1)->def.op->kind == OP_ALLOCA);
}

static bool brings_values(const Lift *l, const IrSucc *s)
{
	for (uint32_t i = 0; i < s->nargs; i++)
		if (!lift_vanishes(l, s->dest->args[i]))
			return true;
	return false;
}

bool lift_is_passed(const Lift *l, const IrBlock *b)
{
	IR_FOR_OPS (op, b)
		if (op != b->last && !is_harmless(l, op))
			return false;
	return b->last->kind == OP_BR && !lift_is_pad(b->first);
}

/* To a variable: what is caught before must not see it. */
static bool stores(const Lift *l, const IrBlock *b)
{
	IR_FOR_OPS (op, b)
		if (op->kind == OP_STORE && !lift_is_plumbing(l, op))
			return true;
	return false;
}

/* The tests that follow upon b with nothing between that matters; NULL: none do. */
static IrBlock *next_test(const Lift *l, IrBlock *b)
{
	enum { STEPS = 64 };
	for (unsigned i = 0; i < STEPS; i++) {
		if (b->preds && b->preds->next)
			return NULL; /* others come here, too: the tests of a try around this one */
		if (lift_is_branch_on_test(l, b))
			return b;
		if (!lift_is_passed(l, b) || stores(l, b) || brings_values(l, &b->last->succs[0]))
			return NULL;
		b = b->last->succs[0].dest;
	}
	return NULL;
}

/* What stands between a dispatch and the beginning of a catch happens in the catch, but for stores. These are made in flight, so that
 * all who come to the catch share one dispatch, and handlers of this one may unwind to it (nest.c). */
static bool leads_to_catch(const Lift *l, const IrBlock *b)
{
	enum { STEPS = 64 };
	for (unsigned i = 0; i < STEPS; i++) {
		if (lift_begins_catch(l, b))
			return true;
		if (!lift_is_passed(l, b) || stores(l, b))
			return false;
		b = b->last->succs[0].dest;
	}
	return false;
}

static void note_passed(Lift *l, Dispatch *d, IrBlock *from, const IrBlock *to)
{
	for (IrBlock *b = from; b != to; b = b->last->succs[0].dest) {
		bool known = false;
		for (uint32_t i = 0; i < d->passed.len; i++)
			known |= d->passed.data[i] == b;
		if (!known)
			vec_push(l->mem, &d->passed, b);
	}
}

/* Where an exception goes whose selector is that of the type (NULL: of none). */
static IrBlock *send(Lift *l, Dispatch *d, IrBlock *b, const Name *type)
{
	enum { STEPS = 4096 };
	for (unsigned i = 0; i < STEPS && lift_is_branch_on_test(l, b); i++) {
		bool truth = lift_evaluate(l, ir_operand(b->last, 0), type);
		IrBlock *dest = b->last->succs[truth ? 0 : 1].dest, *stop = next_test(l, dest);
		if (!stop)
			return dest;
		note_passed(l, d, dest, stop);
		b = stop;
	}
	if (lift_is_branch_on_test(l, b))
		lift_error(l, b->last, "tests the selector of an exception again and again");
	return b;
}

typedef VEC(IrBlock *) Blocks;

/* Does the exception that came by the pad pass the block in flight? */
static bool passes(const Lift *l, const IrOp *pad, const IrBlock *wanted)
{
	Blocks work = {0};
	PtrMap seen = {0};
	vec_push(l->mem, &work, pad->block);
	while (work.len) {
		IrBlock *b = work.data[--work.len];
		if (b == wanted)
			return true;
		if (ptrmap_get(&seen, b) || lift_begins_catch(l, b))
			continue;
		ptrmap_put(l->mem, &seen, b, b);
		for (uint32_t i = 0; i < b->last->nsuccs; i++)
			if (!ir_op_has_unwind_edge(b->last) || i == 0)
				vec_push(l->mem, &work, b->last->succs[i].dest);
	}
	return false;
}

/* Does the test give another truth for the type, and may its selector be that of an exception in flight at n? */
static bool tells_apart(Lift *l, IrValue *test, const Name *type, const Node *n)
{
	if (lift_part(l, test) != PART_TEST || lift_evaluate(l, test, type) == lift_evaluate(l, test, NULL))
		return false;
	PadList pads = {0};
	lift_find_pads(l, test, &pads);
	for (uint32_t i = 0; i < pads.len; i++)
		if (pads.data[i] == n->pad || passes(l, pads.data[i], n->block))
			return true;
	return false;
}

/* Tests behind the beginning of a catch: its exceptions differ by type. */
static bool is_tested_behind(Lift *l, const Node *n, IrBlock *from, const Name *type)
{
	Blocks work = {0};
	PtrMap seen = {0};
	vec_push(l->mem, &work, from);
	while (work.len) {
		IrBlock *b = work.data[--work.len];
		if (ptrmap_get(&seen, b))
			continue;
		ptrmap_put(l->mem, &seen, b, b);
		IR_FOR_OPS (op, b)
			for (uint32_t i = 0; i < op->noperands; i++)
				if (tells_apart(l, ir_operand(op, i), type, n))
					return true;
		for (uint32_t i = 0; i < b->last->nsuccs; i++)
			vec_push(l->mem, &work, b->last->succs[i].dest);
	}
	return false;
}

/* Clauses of a pad */

static const IrAttr *list_at(const IrOp *pad, unsigned i)
{
	static const NameId lists[] = {NAME_catch_type_list, NAME_filter_type_list, NAME_outer_type_list};
	return pad->kind == OP_LANDING_PAD ? i == 0 ? ir_op_attr(pad, NAME_clauses) : NULL
	                                   : ir_op_attr(pad, lists[i]);
}

static bool is_filter_list(const IrOp *pad, unsigned i)
{
	return pad->kind == OP_EH_INFLIGHT && i == 1;
}

static const Name *clause_type(const Lift *l, Dispatch *d, const IrAttr *a)
{
	if (a->kind == ATTR_ARRAY)
		d->filter = a;
	return a->kind == ATTR_ARRAY ? l->filter : a->kind == ATTR_SYMBOL ? a->name : NULL;
}

typedef VEC(const Name *) Names;

static void add_name(Lift *l, Names *order, const Name *type)
{
	if (!type || !lift_type_number(l, type))
		return;
	for (uint32_t i = 0; i < order->len; i++)
		if (order->data[i] == type)
			return;
	vec_push(l->mem, order, type);
}

/* The types that tests ask for, those of the pad in its order first: the unwinder has decided by that. */
static Names types_in_order(Lift *l, Dispatch *d, const IrOp *pad)
{
	Names order = {0};
	for (unsigned i = 0; i < 3; i++) {
		const IrAttr *list = list_at(pad, i);
		if (list && is_filter_list(pad, i)) {
			d->filter = list;
			add_name(l, &order, l->filter);
			continue;
		}
		for (uint32_t k = 0; list && k < list->n; k++)
			add_name(l, &order, clause_type(l, d, list->elems[k]));
	}
	for (uint32_t i = 0; i < l->types.len; i++)
		if (l->types.data[i] != l->filter || d->filter)
			add_name(l, &order, l->types.data[i]);
	return order;
}

static bool is_empty(const Lift *l, const IrBlock *b)
{
	IR_FOR_OPS (op, b)
		if (op != b->last && !lift_is_plumbing(l, op))
			return false;
	return b->last->kind == OP_BR && !lift_is_pad(b->first) && !brings_values(l, &b->last->succs[0]);
}

/* To a catch straight away: handlers are the same where the same block begins them. */
static Clause clause_to(const Lift *l, const Name *type, IrBlock *from)
{
	enum { STEPS = 64 };
	IrBlock *b = from;
	for (unsigned i = 0; i < STEPS && !lift_begins_catch(l, b) && is_empty(l, b); i++)
		b = b->last->succs[0].dest;
	return (Clause){.type = type, .from = from, .dest = lift_begins_catch(l, b) ? b : from};
}

Dispatch *lift_dispatch(Lift *l, const Node *n)
{
	Dispatch *d = arena_new(l->mem, Dispatch);
	*d = (Dispatch){0};
	Names types = types_in_order(l, d, n->pad);
	IrBlock *none = send(l, d, n->block, NULL);
	d->none = clause_to(l, NULL, none);
	d->catch_all = leads_to_catch(l, none);
	for (uint32_t i = 0; i < types.len; i++) {
		Clause c = clause_to(l, types.data[i], send(l, d, n->block, types.data[i]));
		if (c.dest != d->none.dest || (d->catch_all && is_tested_behind(l, n, none, types.data[i])))
			vec_push(l->mem, &d->clauses, c);
	}
	return d;
}
