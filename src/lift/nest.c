/* A try within a try, of which the optimizer sends what the inner one leaves straight to where the outer one sends it: from
 *
 * 	inner dispatch [ T: handler, U: other, unwind: ^on ]      what leaves the handler goes to the outer dispatch
 * 	outer dispatch [ U: other, unwind: ^on ]
 *
 * the inner one is made to ask for T alone, and to lead to the outer one. Tables have one place where exceptions leave a try, its handlers included. */
#include "lift/lifter.h"

#include "ir/memory_value.h"

static bool in_flight(const Node *n)
{
	return n->context && n->context->flight;
}

/* Behind blocks that do nothing. */
static Node *behind_empty(const Lift *l, Node *n)
{
	enum { STEPS = 64 };
	for (unsigned i = 0; i < STEPS && n && !n->dispatch && lift_is_passed(l, n->block); i++)
		n = n->succs[0];
	return n;
}

/* An edge behind the end of a catch by which an exception leaves it. */
static void find_exit(const Lift *l, const Node *n)
{
	const Context *around = in_flight(n) ? n->context->around : NULL;
	if (n->dispatch || !around || around->flight || n->leaves == n->context)
		return;
	around->made->exit = behind_empty(l, n->succs[0]);
}

/* Does one of the first n clauses take the type? */
static bool asks(const Dispatch *d, uint32_t n, const Name *type)
{
	for (uint32_t i = 0; i < n; i++)
		if (d->clauses.data[i].type == type)
			return true;
	return false;
}

/* Does the dispatch send what the first n clauses of `inner` leave where `inner` does? */
static bool goes_on_as(const Lift *l, const Dispatch *inner, uint32_t n, const Dispatch *outer)
{
	if (outer->catch_all != inner->catch_all ||
	    behind_empty(l, outer->none.to) != behind_empty(l, inner->none.to))
		return false;
	for (uint32_t i = 0; i < outer->clauses.len; i++) {
		const Clause *c = &outer->clauses.data[i];
		if (asks(inner, n, c->type))
			continue;
		if (n == inner->clauses.len || inner->clauses.data[n].type != c->type ||
		    inner->clauses.data[n].to != c->to)
			return false;
		n++;
	}
	return n == inner->clauses.len;
}

/* The dispatch outside of it that what leaves its handlers goes to, and how many clauses are up to the last of these. */
static Node *find_outer(const Node *n, uint32_t *own)
{
	Node *outer = NULL;
	const Dispatch *d = n->dispatch;
	for (uint32_t i = 0; i < d->clauses.len; i++) {
		const Context *c = d->clauses.data[i].to->context;
		Node *exit = c && !c->flight ? c->made->exit : NULL;
		if (!exit || exit == n || !exit->dispatch)
			continue;
		outer = exit;
		*own = i + 1;
	}
	return outer;
}

static void nest(Lift *l, Node *n)
{
	Dispatch *d = n->dispatch;
	uint32_t own = 0;
	Node *outer = find_outer(n, &own);
	for (; outer && own <= d->clauses.len; own++) {
		if (!goes_on_as(l, d, own, outer->dispatch))
			continue;
		d->clauses.len = own;
		d->catch_all = false;
		d->none.to = outer;
		l->nested = true;
		return;
	}
}

void lift_nest_dispatches(Lift *l)
{
	for (uint32_t i = 0; i < l->nodes.len; i++)
		find_exit(l, l->nodes.data[i]);
	for (uint32_t i = 0; i < l->nodes.len; i++)
		if (l->nodes.data[i]->dispatch)
			nest(l, l->nodes.data[i]);
}

/* Values */

static bool reaches(const Lift *l, const IrValue *v, const IrUse *u)
{
	const IrBlock *from = v->is_arg ? v->def.block : v->def.op->block, *to = u->user->block;
	if (from == to || memory_value_is_home(v, to))
		return true;
	return dom_dominates(&l->dom, l->place[from->id], l->place[to->id]) &&
	       (v->is_arg || !v->def.op->nsuccs || memory_value_is_home(v, v->def.op->succs[0].dest));
}

static bool does_not_reach(const IrUse *u, const void *lift)
{
	return !reaches(lift, u->value, u);
}

static void restore(Lift *l, IrValue *v)
{
	if (ir_is_token(v->type))
		return;
	IR_FOR_USES (u, v)
		if (does_not_reach(u, l)) {
			memory_value_make(l->m, l->func, v, does_not_reach, l);
			return;
		}
}

/* What the outer handlers use of the inner one's goes through memory: the tables have a way around it. */
void lift_restore_values(Lift *l)
{
	if (!l->nested)
		return;
	lift_compute_dominance(l);
	IR_FOR_BLOCKS (b, &l->func->regions[0]) {
		if (b->id >= l->nplaces)
			continue;
		for (uint32_t i = 0; i < b->nargs; i++)
			restore(l, b->args[i]);
		IR_FOR_OPS (op, b)
			for (uint32_t i = 0; i < op->nresults; i++)
				restore(l, &op->results[i]);
	}
}
