/* A try within a try, of which the optimizer knows that the outer one asks for nothing new: from
 *
 * 	inner dispatch [ T: handler, unwind: ^on ]      what leaves the handler goes to the outer dispatch
 * 	outer dispatch [ T: handler, unwind: ^on ]
 *
 * the first `unwind` is made to lead to the outer one. Tables have one place where exceptions leave a try, its handlers included. */
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

static bool asks(const Dispatch *d, const Name *type)
{
	for (uint32_t i = 0; i < d->clauses.len; i++)
		if (d->clauses.data[i].type == type)
			return true;
	return false;
}

/* Does an exception that `inner` leaves pass `outer` as if it were not there? */
static bool is_passed_by(const Lift *l, const Dispatch *inner, const Dispatch *outer)
{
	if (outer->catch_all || behind_empty(l, outer->none.to) != behind_empty(l, inner->none.to))
		return false;
	for (uint32_t i = 0; i < outer->clauses.len; i++)
		if (!asks(inner, outer->clauses.data[i].type))
			return false;
	return true;
}

static void nest(Lift *l, Node *n)
{
	Dispatch *d = n->dispatch;
	for (uint32_t i = 0; i < d->clauses.len; i++) {
		const Context *c = d->clauses.data[i].to->context;
		Node *exit = c && !c->flight ? c->made->exit : NULL;
		if (!exit || exit == n || !exit->dispatch || d->catch_all ||
		    !is_passed_by(l, d, exit->dispatch))
			continue;
		d->none.to = exit;
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
