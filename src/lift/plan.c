/* One walk from the entry says in which contexts each block stands. */
#include "lift/lifter.h"

enum { DEPTH_MAX = 64, NODES_MAX = 50000, COPIES_MAX = 8 };

/* Contexts: equal ones are the same. */

static bool same(const Context *a, const Context *b)
{
	return a->around == b->around && a->flight == b->flight && a->handler == b->handler &&
	       a->type == b->type && a->begun == b->begun && a->owner == b->owner;
}

/* What most contexts differ in. */
static const void *key_of(const Lift *l, const Context *c)
{
	return c->handler  ? (const void *)c->handler
	       : c->owner  ? (const void *)c->owner
	       : c->around ? c->around
	                   : (const void *)l;
}

static const Context *intern(Lift *l, const Context *c)
{
	const void *key = key_of(l, c);
	Context *first = ptrmap_get(&l->contexts, key);
	for (Context *known = first; known; known = known->other)
		if (same(known, c))
			return known;
	Context *made = arena_new(l->mem, Context);
	*made = *c;
	made->other = first;
	ptrmap_put(l->mem, &l->contexts, key, made);
	return made;
}

static const Context *in_flight(Lift *l, const Context *around, const IrOp *by)
{
	unsigned depth = 0;
	for (const Context *c = around; c; c = c->around)
		depth++;
	if (depth > DEPTH_MAX)
		lift_error(l, by, "unwinds out of catches and cleanups that are nested too deep");
	return intern(l, &(Context){.around = around, .flight = true});
}

static const Context *in_catch(Lift *l, const Context *around, const Clause *clause)
{
	Context c = {.around = around, .handler = clause->dest, .type = clause->type};
	Context *made = (Context *)(uintptr_t)intern(l, &c);
	if (!made->made) {
		made->made = arena_new(l->mem, Catch);
		*made->made = (Catch){.number = clause->type ? lift_type_number(l, clause->type) : 0};
		vec_push(l->mem, &l->catches, made->made);
	}
	return made;
}

static const Context *begun(Lift *l, const Context *c)
{
	Context key = *c;
	key.begun = true;
	Context *made = (Context *)(uintptr_t)intern(l, &key);
	made->made = c->made;
	return made;
}

/* Ops */

static const Context *begin(Lift *l, const IrOp *op, const Context *c)
{
	if (c && !c->flight && !c->begun)
		return begun(l, c);
	lift_error(l, op,
	           c ? "begins a catch that has begun" : "begins a catch where no exception is in flight");
	return c;
}

static const Context *end(Lift *l, const IrOp *op, const Context *c)
{
	const Context *open = c && c->flight ? c->around : c;
	if (open && open->begun && !open->flight)
		return c->flight ? in_flight(l, open->around, op) : open->around;
	lift_error(l, op, "ends a catch, but none is open");
	return c;
}

static void check_leave(Lift *l, const IrOp *op, const Context *c)
{
	if (op->kind == OP_RETURN && c)
		lift_error(l, op,
		           c->flight ? "returns while an exception is in flight" : "returns out of a catch");
	if (op->kind != OP_RESUME_FLAT && op->kind != OP_RESUME_VALUE)
		return;
	if (!c || !c->flight)
		lift_error(l, op, "resumes an exception that is not in flight");
	else if (c->around)
		lift_error(l, op,
		           c->around->flight
		               ? "resumes what was thrown by a cleanup, while another exception is in flight"
		               : "resumes while a catch is open");
}

static const Context *behind_op(Lift *l, const IrOp *op, const Context *c)
{
	LiftRole role = lift_role(l->table, op);
	bool catching = c && !c->flight;
	switch (role) {
	case LIFT_BEGIN:
		return begin(l, op, c);
	case LIFT_END:
		return end(l, op, c);
	case LIFT_OBJECT:
		if (!catching)
			lift_error(l, op, "asks for the object of an exception that no handler takes");
		break;
	case LIFT_TERMINATE:
	case LIFT_UNEXPECTED:
		if (!c || !c->flight)
			lift_error(l, op, "terminates for an exception that is not in flight");
		break;
	default:
		check_leave(l, op, c);
	}
	return c;
}

/* Nodes */

/* A block may have a node for each catch of the function. */
static const void *place_of(const IrBlock *b, const Context *c)
{
	return (const void *)((uintptr_t)b * 31 + (uintptr_t)c);
}

static Node *find_node(const Lift *l, const IrBlock *b, const Context *c, bool dispatches)
{
	Node *n = ptrmap_get(&l->of_place, place_of(b, c));
	while (n && (n->block != b || n->context != c || (n->dispatch != NULL) != dispatches))
		n = n->beside;
	return n;
}

static Node *add_node(Lift *l, IrBlock *b, const Context *c, const IrOp *pad, bool dispatches)
{
	Node *n = find_node(l, b, c, dispatches);
	if (n)
		return n;
	n = arena_new(l->mem, Node);
	*n = (Node){.block = b, .context = c, .leaves = c, .pad = pad};
	if (dispatches) {
		n->dispatch = lift_dispatch(l, n);
	}
	Node *first = ptrmap_get(&l->of_block, b);
	if (first) {
		n->other = first->other;
		first->other = n;
	} else {
		ptrmap_put(l->mem, &l->of_block, b, n);
	}
	n->beside = ptrmap_get(&l->of_place, place_of(b, c));
	ptrmap_put(l->mem, &l->of_place, place_of(b, c), n);
	vec_push(l->mem, &l->nodes, n);
	if (l->nodes.len > NODES_MAX && l->nodes.len / COPIES_MAX > l->m->nblocks)
		lift_error(l, b->first, "is in code that handlers share too much of");
	return n;
}

/* Dispatches are shared, and what terminates. */
static const IrBlock *owner_at(const Lift *l, const IrBlock *b, const Context *c)
{
	if (lift_needs_dispatch(l, b) || lift_is_terminate(l, b))
		return NULL;
	if (c->owner && ptrmap_get(&l->sole, c->owner))
		return c->owner;
	return ptrmap_get(&l->owners, b) ? b : c->owner;
}

static Node *enter(Lift *l, IrBlock *b, const Context *c, const IrOp *pad)
{
	if (!c || !c->flight)
		return add_node(l, b, c, pad, false);
	Context key = *c;
	key.owner = owner_at(l, b, c);
	return add_node(l, b, intern(l, &key), pad, lift_needs_dispatch(l, b));
}

static bool unwinds(const IrOp *op, uint32_t succ)
{
	return ir_op_has_unwind_edge(op) && succ == 1;
}

static Node *follow(Lift *l, Node *n, const IrOp *op, uint32_t succ)
{
	IrBlock *dest = op->succs[succ].dest;
	if (!unwinds(op, succ))
		return enter(l, dest, n->leaves, n->pad);
	if (lift_is_pad(dest->first))
		return enter(l, dest, in_flight(l, n->leaves, op), dest->first);
	lift_error(l, op, "unwinds to a block that is no landing pad");
	return NULL;
}

static void visit_dispatch(Lift *l, Node *n)
{
	Dispatch *d = n->dispatch;
	const Context *around = n->context->around;
	for (uint32_t i = 0; i < d->clauses.len; i++) {
		Clause *c = &d->clauses.data[i];
		const Context *in = c->type == l->filter ? n->context : in_catch(l, around, c);
		c->to = enter(l, c->dest, in, n->pad);
		if (in->made)
			in->made->handler = c->to;
	}
	const Context *in = d->catch_all ? in_catch(l, around, &d->none) : n->context;
	d->none.to = enter(l, d->none.dest, in, n->pad);
	if (in->made)
		in->made->handler = d->none.to;
}

static void visit(Lift *l, Node *n)
{
	if (n->dispatch) {
		visit_dispatch(l, n);
		return;
	}
	IR_FOR_OPS (op, n->block)
		n->leaves = behind_op(l, op, n->leaves);
	const IrOp *last = n->block->last;
	bool ends = n->context && n->context->flight && lift_is_terminate(l, n->block);
	n->succs = arena_array(l->mem, Node *, last->nsuccs);
	for (uint32_t i = 0; i < last->nsuccs && !l->failed && !ends; i++)
		n->succs[i] = follow(l, n, last, i);
}

bool lift_plan(Lift *l)
{
	l->nodes.len = l->catches.len = 0;
	l->of_block = l->of_place = l->contexts = (PtrMap){0};
	enter(l, l->func->regions[0].first, NULL, NULL);
	for (uint32_t i = 0; i < l->nodes.len && !l->failed; i++)
		visit(l, l->nodes.data[i]);
	return !l->failed;
}
