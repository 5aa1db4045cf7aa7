/* Code in flight, cut into regions: a pad, what stands behind a dispatch or behind the end of a catch, and blocks where regions
 * meet begin one. A region in which something happens becomes a cleanup. */
#include "lift/lifter.h"

static bool in_flight(const Node *n)
{
	return n->context && n->context->flight;
}

/* The context whose region n is in: the innermost flight. */
static const Context *flight_of(const Context *c)
{
	while (c && !c->flight)
		c = c->around;
	return c;
}

static bool has_end(const Lift *l, const IrBlock *b)
{
	IR_FOR_OPS (op, b)
		if (lift_role(l->table, op) == LIFT_END)
			return true;
	return false;
}

static bool always_begins(const Lift *l, const Node *n)
{
	return in_flight(n) && (n->dispatch || lift_is_pad(n->block->first) ||
	                        lift_is_terminate(l, n->block) || has_end(l, n->block));
}

static void begin(Node *n)
{
	n->begins = true;
	n->start = n;
}

/* True: something was changed. */
static bool flow(Node *to, Node *start)
{
	if (!to || to->start || !flight_of(to->context) || !start)
		return false;
	to->start = start;
	return true;
}

/* Two regions lead to it. */
static bool meets(Lift *l, const Node *from, Node *to, const Node *start)
{
	if (!to || to->begins || !flight_of(to->context) || !start || to->start == start)
		return false;
	if (in_flight(to))
		to->begins = true; /* what flows from it is found anew */
	else
		lift_error(l, from->block->last, "leads to a handler that several cleanups share");
	return true;
}

/* An edge out of a flight into the same, behind the end of a catch. */
static bool ends_catch(const Node *from, const Node *to)
{
	return in_flight(from) && in_flight(to) && from->context != to->context;
}

/* What the region of `to` is when it comes from `from`. */
static Node *handed_on(const Node *from, const Node *to)
{
	return flight_of(from->leaves) == flight_of(to->context) ? from->start : NULL;
}

static bool set_outer(Node *to, Node *outer)
{
	if (to->outer || !outer)
		return false;
	to->outer = outer;
	return true;
}

static bool spread_dispatch(Node *n)
{
	bool changed = false;
	for (uint32_t i = 0; i <= n->dispatch->clauses.len; i++) {
		bool none = i == n->dispatch->clauses.len;
		Node *to = none ? n->dispatch->none.to : n->dispatch->clauses.data[i].to;
		changed |= in_flight(to) ? set_outer(to, n->outer) : flow(to, n->outer);
	}
	return changed;
}

/* Does an exception thrown at n, in a region, land in `to`? */
static bool is_inside(const Node *n, const Node *to)
{
	return n->start && flight_of(to->context->around) == flight_of(n->context);
}

static bool spread(Node *n)
{
	bool changed = false;
	if (n->dispatch)
		return spread_dispatch(n);
	for (uint32_t i = 0; i < n->block->last->nsuccs; i++) {
		Node *to = n->succs[i];
		if (!to)
			continue;
		if (in_flight(to))
			changed |= set_outer(to, is_inside(n, to) ? n->start : n->outer);
		changed |= flow(to, handed_on(n, to));
	}
	return changed;
}

static bool find_meeting(Lift *l, const Node *n)
{
	bool any = false;
	for (uint32_t i = 0; !n->dispatch && i < n->block->last->nsuccs; i++)
		if (n->succs[i])
			any |= meets(l, n, n->succs[i], handed_on(n, n->succs[i]));
	return any;
}

/* Each block takes the first region that leads to it; blocks where others come, too, begin one. All anew, until there are none. */
static bool find_meetings(Lift *l)
{
	bool changed = true, any = false;
	for (uint32_t i = 0; i < l->nodes.len; i++)
		l->nodes.data[i]->start = l->nodes.data[i]->begins ? l->nodes.data[i] : NULL;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < l->nodes.len; i++)
			changed |= spread(l->nodes.data[i]);
	}
	for (uint32_t i = 0; i < l->nodes.len; i++)
		any |= find_meeting(l, l->nodes.data[i]);
	return any;
}

static void mark_forced(Lift *l, Node *n)
{
	if (always_begins(l, n))
		begin(n);
	if (n->dispatch) {
		if (in_flight(n->dispatch->none.to))
			begin(n->dispatch->none.to);
		for (uint32_t i = 0; i < n->dispatch->clauses.len; i++)
			if (in_flight(n->dispatch->clauses.data[i].to))
				begin(n->dispatch->clauses.data[i].to);
		return;
	}
	for (uint32_t i = 0; i < n->block->last->nsuccs; i++)
		if (n->succs[i] && ends_catch(n, n->succs[i]))
			begin(n->succs[i]);
}

static bool is_work(const Lift *l, const IrOp *op)
{
	if (lift_is_lifetime(op))
		return false; /* not written */
	if (lift_role(l->table, op) == LIFT_END || ir_op_has_unwind_edge(op))
		return true;
	return !lift_is_plumbing(l, op) && !lift_is_pad(op) &&
	       !(op_info[op->kind].flags & (OPF_PURE | OPF_TERM));
}

static void mark_work(Lift *l, Node *n)
{
	if (n->dispatch || !n->start)
		return;
	if (lift_is_terminate(l, n->block) && in_flight(n))
		return;
	IR_FOR_OPS (op, n->block)
		if (is_work(l, op))
			n->start->works = true;
}

/* The one place where exceptions leave a region; a table has no more. */
typedef struct Exit {
	const Node *to;
	bool known, several;
} Exit;

static void note_exit(Exit *e, const Node *to)
{
	e->several |= e->known && e->to != to;
	e->known = true;
	e->to = to;
}

static void find_exits(const Lift *l, const Node *n, Exit *exits)
{
	if (n->dispatch || !in_flight(n) || !n->start || lift_is_terminate(l, n->block))
		return;
	Exit *e = &exits[n->start->id];
	const IrOp *last = n->block->last;
	if (last->kind == OP_RESUME_FLAT || last->kind == OP_RESUME_VALUE)
		note_exit(e, NULL);
	for (uint32_t i = 0; i < last->nsuccs; i++) {
		const Node *to = n->succs[i];
		bool unwinds = ir_op_has_unwind_edge(last) && i == 1;
		if (to && !unwinds && in_flight(to) && to->start != n->start)
			note_exit(e, to);
	}
}

/* A region with several exits gets code of its own up to where all its paths meet again, or end. Where it still has several, since one of
 * them is another such region, it has a copy of that code, too. */
static bool give_code(Lift *l)
{
	bool any = false;
	Exit *exits = arena_array(l->mem, Exit, l->nodes.len);
	for (uint32_t i = 0; i < l->nodes.len; i++)
		l->nodes.data[i]->id = i;
	for (uint32_t i = 0; i < l->nodes.len; i++)
		find_exits(l, l->nodes.data[i], exits);
	for (uint32_t i = 0; i < l->nodes.len; i++) {
		IrBlock *b = l->nodes.data[i]->block;
		PtrMap *given = ptrmap_get(&l->owners, b) ? &l->sole : &l->owners;
		if (!exits[i].several || ptrmap_get(given, b))
			continue;
		ptrmap_put(l->mem, given, b, b);
		any = true;
	}
	return any;
}

bool lift_find_regions(Lift *l)
{
	for (uint32_t i = 0; i < l->nodes.len; i++)
		mark_forced(l, l->nodes.data[i]);
	while (find_meetings(l) && !l->failed) {
	}
	if (l->failed || give_code(l))
		return false;
	for (uint32_t i = 0; i < l->nodes.len; i++)
		mark_work(l, l->nodes.data[i]);
	return true;
}
