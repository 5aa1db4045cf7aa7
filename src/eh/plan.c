/* eh/plan.c: clause lists, computed once for all pads of a function.
 *
 * What a token can still meet is a list of clauses, and most lists are another list with a few clauses
 * in front: those of an inner try before those of the tries around it. So the lists form a forest: a
 * node is the clauses of one dispatch, its parent what comes after it. The components of the flow graph
 * arrive outermost first, which makes parents exist before their children; a component without clauses
 * of its own shares the node that it leads to. Only a token that branches to different nodes needs a
 * list of its own, merged from theirs.
 *
 * One walk over the forest keeps the current list: entering a node moves its clauses to the front,
 * leaving it puts them back. A clause that an inner dispatch repeats is thereby listed once, at its
 * innermost place, however deep the nest.
 */
#include "eh/plan.h"

#define NONE UINT32_MAX

enum { ALL = 0 }; /* clause id of the catch-all */

typedef struct Node {
	uint32_t parent, first_child, next_sibling;
	uint32_t own, nown; /* clause ids, from planning.own[own] */
	uint32_t mark;
	bool wanted; /* some pad needs its list */
	AbiClauses *list;
} Node;

typedef VEC(uint32_t) ClauseIds;

typedef struct Future { /* of a component */
	uint32_t node;  /* NONE: no clauses */
	bool cleanup;
} Future;

/* Scratch of merging; zero in between, but for the mark. */
typedef struct ClauseState {
	uint32_t mark;
	uint32_t behind; /* lists that have the clause, but not as their next one */
	uint32_t lists;  /* that have it */
	bool taken;
} ClauseState;

/* A clause's place in the current list of the forest walk. */
typedef struct Link {
	uint32_t prev, next;
	bool linked;
} Link;

typedef struct Undo {
	uint32_t clause;
	Link before;
} Undo;

typedef struct Planning {
	AbiTables *t;
	Arena *mem;
	Diags *d;
	AbiFlow *flow;
	VEC(AbiClause *) clauses;
	VEC(ClauseState) states; /* by clause */
	VEC(uint32_t) own;
	VEC(Node) nodes;
	Future *futures;
	VEC(uint32_t) next_nodes; /* the distinct nodes that the component at hand leads to */
	uint32_t mark;            /* the latest one given out */
	/* the forest walk */
	Link *links;
	uint32_t head;
	VEC(Undo) undo;
	bool ok;
} Planning;

/* Clauses */

static uint32_t new_clause(Planning *p, AbiClause c)
{
	AbiClause *clause = arena_new(p->mem, AbiClause);
	*clause = c;
	vec_push(p->mem, &p->clauses, clause);
	vec_push(p->mem, &p->states, ((ClauseState){0}));
	return p->clauses.len - 1;
}

static uint32_t catch_clause(Planning *p, Name *type, const IrOp *op)
{
	CHECK(type->id < p->t->nnames);
	uint32_t *slot = &p->t->clause_of_name[type->id];
	if (!*slot)
		*slot = new_clause(p, (AbiClause){.kind = CLAUSE_CATCH, .type = type, .op = op}) + 1;
	return *slot - 1;
}

static uint32_t filter_clause(Planning *p, const IrAttr *types, const IrOp *op)
{
	return new_clause(p, (AbiClause){.kind = CLAUSE_FILTER, .types = types, .op = op});
}

static uint32_t catch_all_clause(Planning *p, const IrOp *op)
{
	if (!p->clauses.data[ALL]->op)
		p->clauses.data[ALL]->op = op;
	return ALL;
}

static bool takes_everything(const AbiClause *c)
{
	return c->kind == CLAUSE_CATCH_ALL || (c->kind == CLAUSE_FILTER && (!c->types || !c->types->n));
}

static void add_own(Planning *p, uint32_t clause)
{
	vec_push(p->mem, &p->own, clause);
}

static void add_dispatch(Planning *p, const IrOp *op)
{
	const IrAttr *types = ir_op_attr(op, NAME_catch_types);
	uint32_t ncatch = abi_dispatch_ncatch(op);
	for (uint32_t i = 0; i < ncatch; i++)
		add_own(p, catch_clause(p, types->elems[i]->name, op));
	if (abi_dispatch_filter(op))
		add_own(p, filter_clause(p, abi_dispatch_filter(op), op));
	if (abi_dispatch_catches_all(op))
		add_own(p, catch_all_clause(p, op));
}

static void add_sink(Planning *p, const IrOp *op)
{
	if (op->kind == OP_EH_DISPATCH)
		add_dispatch(p, op);
	else if (op->kind == OP_EH_TERMINATE)
		add_own(p, catch_all_clause(p, op));
	else /* eh.unexpected that no filter leads to: the specification allows nothing */
		add_own(p, filter_clause(p, NULL, op));
}

/* Nodes */

static uint32_t new_node(Planning *p, uint32_t own, uint32_t nown, uint32_t parent)
{
	Node n = {.parent = parent, .first_child = NONE, .next_sibling = NONE, .own = own, .nown = nown};
	uint32_t id = p->nodes.len;
	if (parent != NONE) {
		n.next_sibling = p->nodes.data[parent].first_child;
		p->nodes.data[parent].first_child = id;
	}
	vec_push(p->mem, &p->nodes, n);
	return id;
}

/* The whole list of a node, read off its ancestors. The catch-all is left out; true when there is one. */
static bool whole_list(Planning *p, uint32_t node, ClauseIds *out)
{
	uint32_t mark = ++p->mark;
	for (; node != NONE; node = p->nodes.data[node].parent) {
		const Node *n = &p->nodes.data[node];
		for (uint32_t i = 0; i < n->nown; i++) {
			uint32_t c = p->own.data[n->own + i];
			if (c == ALL)
				return true;
			if (p->states.data[c].mark != mark)
				vec_push(p->mem, out, c);
			p->states.data[c].mark = mark;
		}
	}
	return false;
}

/* Lists being merged. */
typedef struct Merge {
	ClauseState *states;
	ClauseIds *lists;
	uint32_t *at; /* of each list: how many have been taken */
	uint32_t nlists;
} Merge;

static bool exhausted(const Merge *m, uint32_t list)
{
	return m->at[list] == m->lists[list].len;
}

static uint32_t next_of(const Merge *m, uint32_t list)
{
	return m->lists[list].data[m->at[list]];
}

static void skip_taken(Merge *m, uint32_t list)
{
	while (!exhausted(m, list) && m->states[next_of(m, list)].taken)
		if (++m->at[list] < m->lists[list].len)
			m->states[next_of(m, list)].behind--;
}

/* The first clause that no list wants later. Lists that contradict each other have none;
 * then the first list is right. */
static uint32_t choose(const Merge *m)
{
	uint32_t first = NONE;
	for (uint32_t l = 0; l < m->nlists; l++) {
		if (exhausted(m, l))
			continue;
		if (m->states[next_of(m, l)].behind == 0)
			return next_of(m, l);
		if (first == NONE)
			first = next_of(m, l);
	}
	return first;
}

/* A filter turns away whatever it does not name, so it must be on every way, or handlers
 * on the others would starve. */
static void check_filter(Planning *p, uint32_t clause, uint32_t nlists)
{
	const AbiClause *c = p->clauses.data[clause];
	if (c->kind != CLAUSE_FILTER || p->states.data[clause].lists == nlists)
		return;
	diag_error(p->d, c->op->loc,
	           "only some paths of this exception reach the filter; put it on all of them");
	p->ok = false;
}

/* Appends to `own` an order of all clauses that keeps the order of each list. */
static void merge_lists(Planning *p, ClauseIds *lists, uint32_t nlists)
{
	Merge m = {.states = p->states.data, .lists = lists, .nlists = nlists};
	m.at = arena_array(p->mem, uint32_t, nlists);
	for (uint32_t l = 0; l < nlists; l++) {
		for (uint32_t i = 0; i < lists[l].len; i++) {
			m.states[lists[l].data[i]].behind += i > 0;
			m.states[lists[l].data[i]].lists++;
		}
	}
	uint32_t first = p->own.len;
	for (uint32_t c; (c = choose(&m)) != NONE;) {
		check_filter(p, c, nlists);
		add_own(p, c);
		m.states[c].taken = true;
		for (uint32_t l = 0; l < nlists; l++)
			skip_taken(&m, l);
	}
	for (uint32_t i = first; i < p->own.len; i++) {
		m.states[p->own.data[i]].taken = false;
		m.states[p->own.data[i]].lists = 0;
	}
}

/* A root with the clauses own[own…] (may be none), and with those of all of next_nodes. */
static uint32_t merged_node(Planning *p, uint32_t own)
{
	uint32_t nlists = 0, nown = p->own.len - own;
	ClauseIds *lists = arena_array(p->mem, ClauseIds, (size_t)p->next_nodes.len + 1);
	bool all = false;
	for (uint32_t i = 0; i < nown; i++) {
		if (p->own.data[own + i] == ALL)
			all = true;
		else
			vec_push(p->mem, &lists[0], p->own.data[own + i]);
	}
	nlists += nown > 0;
	for (uint32_t i = 0; i < p->next_nodes.len; i++)
		all |= whole_list(p, p->next_nodes.data[i], &lists[nlists++]);
	uint32_t first = p->own.len;
	merge_lists(p, lists, nlists);
	if (all)
		add_own(p, ALL);
	return new_node(p, first, p->own.len - first, NONE);
}

/* Components, outermost first */

static Future leads_to(Planning *p, uint32_t component)
{
	const AbiFlow *flow = p->flow;
	Future f = {.node = NONE};
	uint32_t mark = ++p->mark;
	p->next_nodes.len = 0;
	for (uint32_t i = flow->first[component]; i < flow->first[component + 1]; i++) {
		const FlowVertex *v = &flow->vertices.data[flow->members[i]];
		f.cleanup |= v->cleanup;
		for (uint32_t e = 0; e < v->nedges; e++) {
			uint32_t to = flow->component[flow->edges.data[v->first + e]];
			if (to == component)
				continue;
			f.cleanup |= p->futures[to].cleanup;
			uint32_t node = p->futures[to].node;
			if (node == NONE || p->nodes.data[node].mark == mark)
				continue;
			p->nodes.data[node].mark = mark;
			vec_push(p->mem, &p->next_nodes, node);
		}
	}
	return f;
}

static void plan_component(Planning *p, uint32_t component)
{
	const AbiFlow *flow = p->flow;
	Future f = leads_to(p, component);
	uint32_t own = p->own.len, size = flow->first[component + 1] - flow->first[component];
	for (uint32_t i = flow->first[component + 1];
	     i-- > flow->first[component];) { /* as they were found */
		const IrOp *sink = flow->vertices.data[flow->members[i]].sink;
		if (sink)
			add_sink(p, sink);
	}
	uint32_t nown = p->own.len - own;
	/* in a loop there is no first dispatch: one list for all of it */
	if (size > 1 || p->next_nodes.len > 1)
		f.node = nown || p->next_nodes.len ? merged_node(p, own) : NONE;
	else if (nown)
		f.node = new_node(p, own, nown, p->next_nodes.len ? p->next_nodes.data[0] : NONE);
	else if (p->next_nodes.len)
		f.node = p->next_nodes.data[0];
	p->futures[component] = f;
}

/* The walk over the forest */

static void unlink_clause(Planning *p, uint32_t c)
{
	Link l = p->links[c];
	if (l.prev != NONE)
		p->links[l.prev].next = l.next;
	else
		p->head = l.next;
	if (l.next != NONE)
		p->links[l.next].prev = l.prev;
	p->links[c].linked = false;
}

static void link_clause(Planning *p, uint32_t c, uint32_t prev, uint32_t next)
{
	p->links[c] = (Link){prev, next, true};
	if (prev != NONE)
		p->links[prev].next = c;
	else
		p->head = c;
	if (next != NONE)
		p->links[next].prev = c;
}

static void enter_node(Planning *p, const Node *n)
{
	for (uint32_t i = n->nown; i-- > 0;) {
		uint32_t c = p->own.data[n->own + i];
		vec_push(p->mem, &p->undo, ((Undo){c, p->links[c]}));
		if (p->links[c].linked)
			unlink_clause(p, c);
		link_clause(p, c, NONE, p->head);
	}
}

static void leave_node(Planning *p, const Node *n)
{
	for (uint32_t i = 0; i < n->nown; i++) {
		Undo u = vec_pop(&p->undo);
		unlink_clause(p, u.clause);
		if (u.before.linked)
			link_clause(p, u.clause, u.before.prev, u.before.next);
	}
}

/* Both filters make the same negative selectors, so code behind the pad could not tell
 * which one turned the exception away. */
static void second_filter(Planning *p, const AbiClause *first, const AbiClause *second)
{
	diag_error(p->d, second->op->loc, "filter inside another filter is not supported by the Itanium ABI");
	diag_note(p->d, first->op->loc, "the inner filter is here");
	p->ok = false;
}

static AbiClauses *write_list(Planning *p)
{
	VEC(const AbiClause *) list = {0};
	const AbiClause *filter = NULL;
	for (uint32_t c = p->head; c != NONE; c = p->links[c].next) {
		const AbiClause *clause = p->clauses.data[c];
		if (clause->kind == CLAUSE_FILTER && filter && p->ok)
			second_filter(p, filter, clause);
		if (clause->kind == CLAUSE_FILTER)
			filter = clause;
		vec_push(p->mem, &list, clause);
		if (takes_everything(clause))
			break;
	}
	AbiClauses *out = arena_new(p->mem, AbiClauses);
	*out = (AbiClauses){list.data, list.len};
	return out;
}

static void walk_tree(Planning *p, uint32_t root)
{
	uint32_t node = root;
	while (node != NONE) {
		Node *n = &p->nodes.data[node];
		enter_node(p, n);
		if (n->wanted)
			n->list = write_list(p);
		if (n->first_child != NONE) {
			node = n->first_child;
			continue;
		}
		for (;;) { /* up to the next sibling of the node or of an ancestor */
			leave_node(p, n);
			if (node == root)
				return;
			if (n->next_sibling != NONE)
				break;
			node = n->parent;
			n = &p->nodes.data[node];
		}
		node = n->next_sibling;
	}
}

static void write_lists(Planning *p)
{
	p->links = arena_array(p->mem, Link, p->clauses.len);
	p->head = NONE;
	for (uint32_t i = 0; i < p->nodes.len; i++)
		if (p->nodes.data[i].parent == NONE)
			walk_tree(p, i);
}

/* Pads */

static Future *future_of(Planning *p, uint32_t vertex)
{
	return &p->futures[p->flow->component[vertex]];
}

static IrOp *initiate_of(const AbiFlow *flow, uint32_t vertex)
{
	const IrValue *token = flow->vertices.data[vertex].token;
	return token->is_arg ? NULL : token->def.op;
}

static void want_lists(Planning *p)
{
	for (uint32_t v = 0; v < p->flow->ntokens; v++) {
		uint32_t node = future_of(p, v)->node;
		if (node != NONE && initiate_of(p->flow, v))
			p->nodes.data[node].wanted = true;
	}
}

/* With neither clause nor cleanup a pad would be ill-formed: the exception only passes
 * through, which is a cleanup. */
static void make_pads(Planning *p, AbiPlan *out)
{
	static const AbiClauses no_clauses = {NULL, 0};
	out->pads = arena_array(p->mem, AbiPad, (size_t)p->flow->ntokens + 1);
	for (uint32_t v = 0; v < p->flow->ntokens; v++) {
		IrOp *initiate = initiate_of(p->flow, v);
		if (!initiate)
			continue;
		Future *f = future_of(p, v);
		const AbiClauses *clauses = f->node == NONE ? &no_clauses : p->nodes.data[f->node].list;
		out->pads[out->npads++] = (AbiPad){initiate, clauses, f->cleanup || clauses->len == 0};
	}
}

/* The table serves the next function. */
static void forget_clauses(Planning *p)
{
	for (uint32_t c = 0; c < p->clauses.len; c++)
		if (p->clauses.data[c]->type)
			p->t->clause_of_name[p->clauses.data[c]->type->id] = 0;
}

bool abi_plan(AbiTables *t, IrOp *func, Arena *mem, Diags *d, AbiPlan *out)
{
	AbiPlan plan = {0};
	if (!abi_flow(t, func, mem, d, &plan.flow))
		return false;
	if (plan.flow.ntokens == 0) {
		*out = plan;
		return true;
	}
	Planning p = {.t = t, .mem = mem, .d = d, .flow = &plan.flow, .ok = true};
	p.futures = arena_array(mem, Future, plan.flow.ncomponents);
	new_clause(&p, (AbiClause){.kind = CLAUSE_CATCH_ALL});
	for (uint32_t c = 0; c < plan.flow.ncomponents; c++)
		plan_component(&p, c);
	want_lists(&p);
	write_lists(&p);
	forget_clauses(&p);
	if (!p.ok)
		return false;
	make_pads(&p, &plan);
	*out = plan;
	return true;
}
