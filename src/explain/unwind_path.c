#include "explain/unwind_path.h"

#include "eh/token_flow.h"

void unwind_paths_init(UnwindPaths *p, const IrModule *m, Arena *mem)
{
	*p = (UnwindPaths){.m = m, .mem = mem};
	p->order = arena_array(mem, uint32_t, (size_t)m->nblocks + 1);
	p->place = arena_array(mem, uint32_t, (size_t)m->nblocks + 1);
	p->depth = arena_array(mem, uint32_t, (size_t)m->nblocks + 1);
	p->segment = arena_array(mem, uint32_t, (size_t)m->nblocks + 1);
	p->seen = arena_array(mem, uint32_t, (size_t)m->nblocks + 1);
}

/* One block */

/* Where a path goes from a block. */
typedef struct Way {
	const IrOp *last; /* that the path comes to; NULL: the block is empty */
	const IrSucc *succs;
	uint32_t nsuccs;
	unsigned ends;
	uint32_t depth; /* number of cleanups that are still open after the last op */
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

static bool leads_to_terminate(const IrSucc *s)
{
	const IrOp *end = ir_block_terminator(s->dest);
	return end && end->kind == OP_EH_TERMINATE;
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

/* A throw on the path: of a `finally` that ends, of a `finally` that throws something else, or of a cleanup. */
static void behind_throw(const UnwindPaths *p, Way *w, const IrOp *op)
{
	bool rethrows = ir_op_nmain(op) == 0;
	if (op->kind == OP_TRY_THROW && (rethrows || leads_to_terminate(&op->succs[1])))
		one_succ(w, &op->succs[1]);
	else if (rethrows)
		w->ends = PATH_LEAVES;
	else
		w->ends = w->depth && !p->replaces ? PATH_TERMINATES : PATH_CAUGHT;
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
		behind_dispatch(w, op);
		break;
	case OP_RESUME:
		w->ends = PATH_LEAVES;
		break;
	case OP_EH_TERMINATE:
	case OP_EH_UNEXPECTED:
		w->ends = PATH_TERMINATES;
		break;
	case OP_RETURN:
		w->ends = PATH_CAUGHT;
		break;
	default: /* none where control does not come: cir.unreachable, cir.trap */
		w->succs = op->succs;
		w->nsuccs = op->nsuccs;
	}
}

/* The end of the catch of a `finally` that does not throw on: the exception is gone. */
static bool drops(const Way *w, const IrOp *op)
{
	const IrValue *token = op->kind == OP_END_CATCH ? ir_operand(op, 0) : NULL;
	return token && !w->depth && !token->is_arg && is_finally(token->def.op);
}

static Way find_way(const UnwindPaths *p, const IrBlock *b)
{
	Way w = {.depth = p->depth[b->id]};
	IR_FOR_OPS (op, b) {
		w.last = op;
		w.depth += op->kind == OP_BEGIN_CLEANUP;
		w.depth -= op->kind == OP_END_CLEANUP && w.depth;
		if (op->kind == OP_THROW)
			behind_throw(p, &w, op);
		else if (drops(&w, op))
			w.ends = PATH_CAUGHT;
		else if (op_info[op->kind].flags & OPF_TERM)
			behind_terminator(p, &w, op);
		else
			continue;
		break;
	}
	return w;
}

/* Order of blocks */

typedef struct Visit {
	const IrBlock *block;
	Way way;
	uint32_t next;
} Visit;

typedef VEC(Visit) Visits;
typedef VEC(const IrBlock *) Blocks;

static void enter(UnwindPaths *p, Visits *path, const IrBlock *b, uint32_t depth)
{
	p->order[b->id] = UINT32_MAX;
	p->depth[b->id] = depth;
	vec_push(p->mem, path, ((Visit){.block = b, .way = find_way(p, b)}));
}

/* The successor that is visited as the i-th. Of two, the one that stands later in the text is visited first. The order is the
 * reverse of the visits, so the code after a loop comes after the body of the loop. */
static const IrBlock *visited_succ(const UnwindPaths *p, const Way *w, uint32_t i)
{
	bool later_first = w->nsuccs == 2 && p->place[w->succs[0].dest->id] > p->place[w->succs[1].dest->id];
	return w->succs[later_first ? i : w->nsuccs - 1 - i].dest;
}

static void order_from(UnwindPaths *p, const IrBlock *start, Visits *path, Blocks *done)
{
	if (p->order[start->id])
		return;
	enter(p, path, start, 0);
	while (path->len) {
		Visit *top = &path->data[path->len - 1];
		if (top->next == top->way.nsuccs) {
			vec_push(p->mem, done, top->block);
			path->len--;
			continue;
		}
		const IrBlock *to = visited_succ(p, &top->way, top->next++);
		if (!p->order[to->id])
			enter(p, path, to, top->way.depth);
	}
}

void unwind_paths_order(UnwindPaths *p, const IrOp *func, bool replaces)
{
	Visits path = {0};
	Blocks done = {0};
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
		p->order[done.data[i]->id] = done.len - i;
}

/* A heap of blocks: the first in order on top. */

static bool is_before(const UnwindPaths *p, uint32_t i, uint32_t j)
{
	return p->order[p->heap.data[i]->id] < p->order[p->heap.data[j]->id];
}

static void swap(UnwindPaths *p, uint32_t i, uint32_t j)
{
	const IrBlock *b = p->heap.data[i];
	p->heap.data[i] = p->heap.data[j];
	p->heap.data[j] = b;
}

static void heap_push(UnwindPaths *p, const IrBlock *b)
{
	uint32_t i = p->heap.len;
	vec_push(p->mem, &p->heap, b);
	for (; i && is_before(p, i, (i - 1) / 2); i = (i - 1) / 2)
		swap(p, i, (i - 1) / 2);
}

static const IrBlock *heap_pop(UnwindPaths *p)
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

static bool is_item(const IrOp *op, PathItemKind *kind)
{
	switch (op->kind) {
	case OP_BEGIN_CLEANUP:
		*kind = PATH_CLEANUP;
		return true;
	case OP_BEGIN_CATCH:
		*kind = PATH_FINALLY;
		return is_finally(op);
	case OP_CALL:
	case OP_TRY_CALL:
		*kind = PATH_CALL;
		return true;
	case OP_END_CLEANUP:
	case OP_THROW:
	case OP_TRY_THROW:
		*kind = PATH_CLOSE;
		return true;
	case OP_EH_DISPATCH:
		*kind = PATH_DISPATCH;
		return true;
	case OP_EH_TERMINATE:
		*kind = PATH_TERMINATE;
		return true;
	case OP_EH_UNEXPECTED:
		*kind = PATH_UNEXPECTED;
		return true;
	default:
		return false;
	}
}

static void add_items(UnwindPaths *p, const IrBlock *b, const Way *w, bool conditional)
{
	PathItem item = {.conditional = conditional};
	for (const IrOp *op = w->last ? b->first : NULL; op; op = op == w->last ? NULL : op->next) {
		item.op = op;
		if (is_item(op, &item.kind))
			vec_push(p->mem, &p->items, item);
	}
}

/* Blocks in order, until those that are known and were not visited are one: no way goes around that. */
static PathSegment make_segment(UnwindPaths *p, const IrBlock *start)
{
	PathSegment s = {.first = p->items.len};
	uint32_t mark = p->segments.len + 1;
	p->heap.len = 0;
	p->seen[start->id] = mark;
	heap_push(p, start);
	while (p->heap.len) {
		const IrBlock *b = heap_pop(p);
		if (b != start && !p->heap.len) {
			s.next = b;
			break;
		}
		Way w = find_way(p, b);
		s.ends |= w.ends;
		p->work++;
		add_items(p, b, &w, b != start);
		for (uint32_t i = 0; i < w.nsuccs; i++) {
			const IrBlock *to = w.succs[i].dest;
			if (p->seen[to->id] == mark)
				continue;
			p->seen[to->id] = mark;
			heap_push(p, to);
		}
	}
	s.nitems = p->items.len - s.first;
	return s;
}

const PathSegment *unwind_path_segment(UnwindPaths *p, const IrBlock *b)
{
	CHECK(p->order[b->id]);
	if (!p->segment[b->id]) {
		PathSegment s = make_segment(p, b);
		vec_push(p->mem, &p->segments, s);
		p->segment[b->id] = p->segments.len;
	}
	return &p->segments.data[p->segment[b->id] - 1];
}
