#include "explain/unwind_path.h"

#include "eh/token_flow.h"
#include "ir/try.h"

void unwind_paths_init(UnwindPaths *p, const IrModule *m, Arena *mem)
{
	*p = (UnwindPaths){.m = m, .mem = mem};
	p->place = arena_array(mem, uint32_t, (size_t)m->nblocks + 1);
	p->first = arena_array(mem, uint32_t, (size_t)m->nblocks + 1);
	vec_push(mem, &p->nodes, (PathNode){0});
}

/* Nodes */

static bool same_state(const PathState *a, const PathState *b)
{
	return a->nested == b->nested && a->depth == b->depth && a->inner == b->inner &&
	       a->catches == b->catches && a->thrown == b->thrown;
}

static uint32_t find_node(const UnwindPaths *p, const IrBlock *b, const PathState *state)
{
	uint32_t n = p->first[b->id];
	while (n && !same_state(&p->nodes.data[n].state, state))
		n = p->nodes.data[n].next;
	return n;
}

static uint32_t number_of_nodes(const UnwindPaths *p, const IrBlock *b)
{
	uint32_t count = 0;
	for (uint32_t n = p->first[b->id]; n; n = p->nodes.data[n].next)
		count++;
	return count;
}

/* Types make handlers certain. A block that many throws come to does without, so that the graph stays linear in the text. */
static uint32_t node_of(UnwindPaths *p, const IrBlock *b, PathState state)
{
	enum { MOST_TYPED = 16 };
	uint32_t n = find_node(p, b, &state);
	if (!n && state.thrown && number_of_nodes(p, b) >= MOST_TYPED) {
		state.thrown = NULL;
		n = find_node(p, b, &state);
	}
	if (n)
		return n;
	n = p->nodes.len;
	vec_push(p->mem, &p->nodes, ((PathNode){.block = b, .state = state, .next = p->first[b->id]}));
	return p->first[b->id] = n;
}

uint32_t unwind_path_start(UnwindPaths *p, const IrBlock *b)
{
	return node_of(p, b, (PathState){0});
}

uint32_t unwind_path_depth(const UnwindPaths *p, const IrBlock *b)
{
	uint32_t depth = 0;
	for (uint32_t n = p->first[b->id]; n; n = p->nodes.data[n].next) {
		const PathState *s = &p->nodes.data[n].state;
		if (s->depth + s->inner > depth)
			depth = s->depth + s->inner;
	}
	return depth;
}

/* One block */

/* Where a path goes from a block. */
typedef struct Way {
	const IrOp *last; /* that the path comes to; NULL: the block is empty */
	const IrSucc *succs;
	uint32_t nsuccs;
	unsigned ends;
	PathState state; /* behind the last op */
} Way;

static bool is_finally(const IrOp *op)
{
	return op && op->kind == OP_BEGIN_CATCH && ir_op_has(op, NAME_finally);
}

/* The handler of a `finally`, which throws on what it has caught (flatten/finally.c). */
static bool leads_to_finally(const IrSucc *s)
{
	return is_finally(s->dest->first);
}

static void one_succ(Way *w, const IrSucc *s)
{
	w->succs = s;
	w->nsuccs = 1;
}

static void behind_dispatch(Way *w, const IrOp *op)
{
	const IrAttr *filter = abi_dispatch_filter(op);
	const IrSucc *rest = &op->succs[op->nsuccs - 1];
	if (filter && filter->n == 0)
		w->ends = PATH_TERMINATES;
	else if (!abi_dispatch_catches_all(op) || leads_to_finally(rest))
		one_succ(w, rest);
	else
		w->ends = PATH_CAUGHT;
}

static bool names_type(const IrAttr *entry, const Name *type)
{
	return type && !ir_catch_filter(entry) && entry->name == type;
}

/* The list of a specification: the nested exception goes on where its type is listed, and nowhere on where none is. */
static void behind_nested_filter(Way *w, const IrAttr *filter)
{
	if (filter->n == 0)
		w->nsuccs--;
	for (uint32_t i = 0; w->nsuccs == 2 && i < filter->n; i++)
		if (names_type(filter->elems[i], w->state.thrown)) {
			one_succ(w, &w->succs[1]);
			break;
		}
}

/* Handlers up to the one that certainly takes a nested exception. */
static void behind_nested_dispatch(Way *w, const IrOp *op)
{
	const IrAttr *types = ir_op_attr(op, NAME_catch_types), *filter = abi_dispatch_filter(op);
	uint32_t n = abi_dispatch_ncatch(op);
	w->succs = op->succs;
	w->nsuccs = op->nsuccs;
	if (filter)
		behind_nested_filter(w, filter);
	for (uint32_t i = 0; i < n; i++)
		if (names_type(types->elems[i], w->state.thrown)) {
			w->nsuccs = i + 1;
			break;
		}
}

/* Is it an edge to a handler of the nested exception? That of a specification leads to the end of the program. */
static bool catches_nested(const Way *w, const IrSucc *s)
{
	const IrOp *op = w->state.nested && w->last->kind == OP_EH_DISPATCH ? w->last : NULL;
	const IrSucc *rest = op ? &op->succs[op->nsuccs - 1] : NULL;
	return op && (s == rest ? abi_dispatch_catches_all(op) : s < &op->succs[abi_dispatch_ncatch(op)]);
}

/* Of the path's own exception at the end of a `finally`; everything else is a nested exception. */
static bool throws_on(const Way *w, const IrOp *op)
{
	return ir_op_nmain(op) == 0 && !w->state.catches;
}

/* A throw of circ's runtime returns where a filter says so. */
static void behind_throw(const UnwindPaths *p, Way *w, const IrOp *op)
{
	bool returns = p->replaces && ir_op_nmain(op);
	if (op->kind == OP_TRY_THROW) {
		w->succs = &op->succs[!returns];
		w->nsuccs = 1 + returns;
	} else if (throws_on(w, op)) {
		w->ends = PATH_LEAVES;
	} else {
		w->ends = w->state.depth && !p->replaces ? PATH_TERMINATES : PATH_CAUGHT;
	}
}

/* Of a branch on a constant, which flattening makes behind code that does not come to its end. -1: no constant. */
static int constant_condition(const IrOp *op)
{
	const IrValue *v = op->kind == OP_BRCOND ? ir_operand(op, 0) : NULL;
	const IrOp *def = v && !v->is_arg ? v->def.op : NULL;
	const IrAttr *value = def && def->kind == OP_CONST ? ir_op_attr(def, NAME_value) : NULL;
	return value && value->kind == ATTR_BOOL ? (int)value->bits : -1;
}

static void behind_branch(Way *w, const IrOp *op)
{
	int condition = constant_condition(op);
	w->succs = condition == 0 ? &op->succs[1] : op->succs;
	w->nsuccs = condition < 0 ? op->nsuccs : 1;
}

static void behind_terminator(const UnwindPaths *p, Way *w, const IrOp *op)
{
	switch (op->kind) {
	case OP_TRY_CALL:
	case OP_TRY_LOAD:
	case OP_TRY_STORE:
	case OP_TRY_COPY:
	case OP_TRY_SET:
	case OP_TRY_DIV:
	case OP_TRY_REM:
		one_succ(w, &op->succs[0]);
		break;
	case OP_TRY_THROW:
		behind_throw(p, w, op);
		break;
	case OP_EH_DISPATCH:
		(w->state.nested ? behind_nested_dispatch : behind_dispatch)(w, op);
		break;
	case OP_RESUME:
		w->ends = w->state.nested ? PATH_CAUGHT : PATH_LEAVES;
		break;
	case OP_EH_TERMINATE:
	case OP_EH_UNEXPECTED:
		w->ends = PATH_TERMINATES;
		break;
	case OP_RETURN:
		w->ends = PATH_CAUGHT;
		break;
	default: /* none where control does not come: cir.unreachable, cir.trap */
		behind_branch(w, op);
	}
}

static void count_scope(Way *w, const IrOp *op)
{
	PathState *s = &w->state;
	uint32_t *cleanups = s->nested || s->inner ? &s->inner : &s->depth;
	if (op->kind == OP_BEGIN_CLEANUP)
		++*cleanups;
	else if (op->kind == OP_END_CLEANUP)
		*cleanups -= *cleanups != 0;
	else if (op->kind == OP_END_CATCH)
		s->catches -= s->catches != 0;
}

/* A nested exception leaves the cleanup or `finally` of the path's own; or the catch of a `finally` ends and does not throw on. */
static bool drops(const Way *w, const IrOp *op)
{
	if (op->kind == OP_EH_DROP)
		return w->state.nested && !w->state.inner;
	const IrValue *token = op->kind == OP_END_CATCH && !w->state.catches ? ir_operand(op, 0) : NULL;
	return token && (w->state.nested || !w->state.depth) && !token->is_arg && is_finally(token->def.op);
}

static Way find_way(const UnwindPaths *p, const PathNode *n)
{
	Way w = {.state = n->state};
	IR_FOR_OPS (op, n->block) {
		w.last = op;
		if (op->kind == OP_THROW)
			behind_throw(p, &w, op);
		else if (drops(&w, op))
			w.ends = PATH_CAUGHT;
		else if (op_info[op->kind].flags & OPF_TERM)
			behind_terminator(p, &w, op);
		else {
			count_scope(&w, op);
			continue;
		}
		break;
	}
	return w;
}

/* Behind the catch of a nested exception the one is in flight again whose cleanup it is in. */
static uint32_t succ_node(UnwindPaths *p, const Way *w, uint32_t i)
{
	const IrSucc *succ = &w->succs[i];
	PathState s = w->state;
	if (catches_nested(w, succ)) {
		s.catches++;
		s.nested = s.inner > 0;
		s.thrown = NULL;
	} else if (w->last->kind == OP_TRY_THROW && succ == &w->last->succs[1] && !throws_on(w, w->last)) {
		s.nested = true;
		s.thrown = ir_op_symbol(w->last, NAME_type_info);
	}
	return node_of(p, succ->dest, s);
}

/* Order of nodes */

typedef struct Visit {
	uint32_t node;
	Way way;
	uint32_t next;
} Visit;

typedef VEC(Visit) Visits;
typedef VEC(uint32_t) Nodes;

static void enter(UnwindPaths *p, Visits *path, uint32_t node)
{
	PathNode *n = &p->nodes.data[node];
	if (n->order)
		return;
	n->order = UINT32_MAX;
	vec_push(p->mem, path, ((Visit){.node = node, .way = find_way(p, n)}));
}

/* The successor that is visited as the i-th. Of two, the one that stands later in the text is visited first. The order is the
 * reverse of the visits, so the code after a loop comes after the body of the loop. */
static uint32_t visited_succ(const UnwindPaths *p, const Way *w, uint32_t i)
{
	bool later_first = w->nsuccs == 2 && p->place[w->succs[0].dest->id] > p->place[w->succs[1].dest->id];
	return later_first ? i : w->nsuccs - 1 - i;
}

static void order_from(UnwindPaths *p, const IrBlock *start, Visits *path, Nodes *done)
{
	enter(p, path, unwind_path_start(p, start));
	while (path->len) {
		Visit *top = &path->data[path->len - 1];
		if (top->next == top->way.nsuccs) {
			vec_push(p->mem, done, top->node);
			path->len--;
			continue;
		}
		uint32_t i = visited_succ(p, &top->way, top->next++);
		enter(p, path, succ_node(p, &top->way, i));
	}
}

void unwind_paths_order(UnwindPaths *p, const IrOp *func, bool replaces)
{
	Visits path = {0};
	Nodes done = {0};
	uint32_t place = 0;
	p->replaces = replaces;
	IR_FOR_BLOCKS (b, &func->regions[0])
		p->place[b->id] = place++;
	IR_FOR_BLOCKS (b, &func->regions[0]) {
		const IrOp *end = ir_block_terminator(b);
		if (end && unwind_dest(end))
			order_from(p, unwind_dest(end), &path, &done);
	}
	for (uint32_t i = 0; i < done.len; i++)
		p->nodes.data[done.data[i]].order = done.len - i;
}

/* A heap of nodes: the first in order on top. */

static uint32_t order_of(const UnwindPaths *p, uint32_t i)
{
	return p->nodes.data[p->heap.data[i]].order;
}

static bool is_before(const UnwindPaths *p, uint32_t i, uint32_t j)
{
	return order_of(p, i) < order_of(p, j);
}

static void swap(UnwindPaths *p, uint32_t i, uint32_t j)
{
	uint32_t n = p->heap.data[i];
	p->heap.data[i] = p->heap.data[j];
	p->heap.data[j] = n;
}

static void heap_push(UnwindPaths *p, uint32_t node)
{
	uint32_t i = p->heap.len;
	vec_push(p->mem, &p->heap, node);
	for (; i && is_before(p, i, (i - 1) / 2); i = (i - 1) / 2)
		swap(p, i, (i - 1) / 2);
}

static uint32_t heap_pop(UnwindPaths *p)
{
	uint32_t n = p->heap.len - 1;
	swap(p, 0, n);
	p->heap.len = n;
	for (uint32_t i = 0, least; (least = 2 * i + 1) < n; i = least) {
		least += least + 1 < n && is_before(p, least + 1, least);
		if (is_before(p, i, least))
			break;
		swap(p, i, least);
	}
	return p->heap.data[n];
}

/* Segments */

/* Nothing that belongs to a nested exception is one, but what is called. */
static bool is_item(const Way *w, const IrOp *op, PathItemKind *kind)
{
	bool own = !w->state.nested && !w->state.inner;
	switch (op->kind) {
	case OP_BEGIN_CLEANUP:
		*kind = PATH_CLEANUP;
		return own;
	case OP_BEGIN_CATCH:
		*kind = PATH_FINALLY;
		return is_finally(op) && !w->state.catches;
	case OP_CALL:
	case OP_TRY_CALL:
		*kind = PATH_CALL;
		return true;
	case OP_END_CLEANUP:
		*kind = PATH_CLOSE;
		return own;
	case OP_THROW:
	case OP_TRY_THROW:
		*kind = PATH_CLOSE;
		return own && throws_on(w, op);
	case OP_EH_DISPATCH:
		*kind = PATH_DISPATCH;
		return own;
	case OP_EH_TERMINATE:
		*kind = PATH_TERMINATE;
		return true;
	case OP_EH_UNEXPECTED:
		*kind = own ? PATH_UNEXPECTED : PATH_TERMINATE;
		return true;
	default:
		return false;
	}
}

static void add_items(UnwindPaths *p, const PathNode *n, const Way *w, bool conditional)
{
	PathItem item = {.conditional = conditional};
	Way before = {.state = n->state};
	for (const IrOp *op = w->last ? n->block->first : NULL; op; op = op == w->last ? NULL : op->next) {
		item.op = op;
		item.nested = before.state.nested || before.state.inner;
		if (is_item(&before, op, &item.kind))
			vec_push(p->mem, &p->items, item);
		count_scope(&before, op);
	}
}

/* Nodes in order, until those that are known and were not visited are one: no way goes around that. */
static PathSegment make_segment(UnwindPaths *p, uint32_t start)
{
	PathSegment s = {.first = p->items.len};
	uint32_t mark = p->segments.len + 1;
	p->heap.len = 0;
	p->nodes.data[start].seen = mark;
	heap_push(p, start);
	for (bool first = true; p->heap.len; first = false) {
		uint32_t node = heap_pop(p);
		if (!first && !p->heap.len) {
			s.next = node;
			break;
		}
		Way w = find_way(p, &p->nodes.data[node]);
		s.ends |= w.ends;
		p->work++;
		add_items(p, &p->nodes.data[node], &w, !first);
		for (uint32_t i = 0; i < w.nsuccs; i++) {
			uint32_t to = succ_node(p, &w, i);
			if (p->nodes.data[to].seen == mark)
				continue;
			p->nodes.data[to].seen = mark;
			heap_push(p, to);
		}
	}
	s.nitems = p->items.len - s.first;
	return s;
}

const PathSegment *unwind_path_segment(UnwindPaths *p, uint32_t node)
{
	CHECK(p->nodes.data[node].order);
	if (!p->nodes.data[node].segment) {
		PathSegment s = make_segment(p, node);
		vec_push(p->mem, &p->segments, s);
		p->nodes.data[node].segment = p->segments.len;
	}
	return &p->segments.data[p->nodes.data[node].segment - 1];
}
