/* The names are those of T. Lengauer, R. E. Tarjan, "A fast algorithm for finding dominators in a flowgraph"
 * (1979), in its simple form. Vertices are numbered from 0 in depth-first order. */
#include "ir/dominance.h"

#define NONE UINT32_MAX

typedef struct Lt {
	const IrRegion *region;
	uint32_t *number; /* by block id; DOM_UNREACHABLE: not met */
	IrBlock **vertex;
	uint32_t n;
	uint32_t *parent; /* in the depth-first tree */
	uint32_t *semi, *dom;
	uint32_t *ancestor, *label;     /* the forest that link() builds */
	uint32_t *bucket, *bucket_next; /* vertices by their semidominator */
	uint32_t *stack;
} Lt;

static uint32_t *numbers(Arena *arena, uint32_t n)
{
	return arena_array(arena, uint32_t, n);
}

static void lt_alloc(Lt *lt, Arena *arena, uint32_t nblocks)
{
	lt->vertex = arena_array(arena, IrBlock *, nblocks);
	uint32_t **arrays[] = {&lt->parent, &lt->semi,   &lt->dom,         &lt->ancestor,
	                       &lt->label,  &lt->bucket, &lt->bucket_next, &lt->stack};
	for (unsigned i = 0; i < ARRAY_LEN(arrays); i++)
		*arrays[i] = numbers(arena, nblocks);
}

static void visit(Lt *lt, IrBlock *b, uint32_t parent)
{
	uint32_t v = lt->n++;
	lt->number[b->id] = v;
	lt->vertex[v] = b;
	lt->parent[v] = parent;
	lt->semi[v] = lt->label[v] = v;
	lt->ancestor[v] = lt->bucket[v] = NONE;
}

/* Numbers the blocks. While it runs, bucket_next[v] is the successor of v to follow next. */
static void depth_first(Lt *lt)
{
	uint32_t depth = 0;
	visit(lt, lt->region->first, 0);
	lt->stack[depth++] = 0;
	while (depth) {
		uint32_t v = lt->stack[depth - 1];
		const IrOp *last = lt->vertex[v]->last;
		if (!last || lt->bucket_next[v] == last->nsuccs) {
			depth--;
			continue;
		}
		IrBlock *to = last->succs[lt->bucket_next[v]++].dest;
		if (to->region == lt->region && lt->number[to->id] == DOM_UNREACHABLE) {
			visit(lt, to, v);
			lt->stack[depth++] = lt->n - 1;
		}
	}
}

/* Shortens v's path to the root of its tree, keeping in label[v] the vertex of least semidominator on it. */
static void compress(Lt *lt, uint32_t v)
{
	uint32_t depth = 0;
	while (lt->ancestor[lt->ancestor[v]] != NONE) {
		lt->stack[depth++] = v;
		v = lt->ancestor[v];
	}
	while (depth) {
		uint32_t w = lt->stack[--depth], a = lt->ancestor[w];
		if (lt->semi[lt->label[a]] < lt->semi[lt->label[w]])
			lt->label[w] = lt->label[a];
		lt->ancestor[w] = lt->ancestor[a];
	}
}

static uint32_t eval(Lt *lt, uint32_t v)
{
	if (lt->ancestor[v] == NONE)
		return v;
	compress(lt, v);
	return lt->label[v];
}

static void semidominator(Lt *lt, uint32_t w)
{
	IR_FOR_PREDS(s, lt->vertex[w])
	{
		const IrBlock *from = s->op->block;
		if (!from || from->region != lt->region || from->last != s->op ||
		    lt->number[from->id] == DOM_UNREACHABLE)
			continue;
		uint32_t u = eval(lt, lt->number[from->id]);
		if (lt->semi[u] < lt->semi[w])
			lt->semi[w] = lt->semi[u];
	}
}

static void immediate_dominators(Lt *lt)
{
	for (uint32_t w = lt->n - 1; w > 0; w--) {
		semidominator(lt, w);
		lt->bucket_next[w] = lt->bucket[lt->semi[w]];
		lt->bucket[lt->semi[w]] = w;
		uint32_t p = lt->parent[w];
		lt->ancestor[w] = p;
		for (uint32_t v = lt->bucket[p]; v != NONE; v = lt->bucket_next[v]) {
			uint32_t u = eval(lt, v);
			lt->dom[v] = lt->semi[u] < lt->semi[v] ? u : p;
		}
		lt->bucket[p] = NONE;
	}
	for (uint32_t w = 1; w < lt->n; w++)
		if (lt->dom[w] != lt->semi[w])
			lt->dom[w] = lt->dom[lt->dom[w]];
}

/* Lays the tree out in preorder. child: first child of each vertex; sibling: the next child of its dominator. */
static void preorder(Lt *lt, uint32_t *child, uint32_t *sibling, uint32_t *place_of, DomTree *t)
{
	for (uint32_t v = 0; v < lt->n; v++)
		child[v] = sibling[v] = NONE;
	for (uint32_t v = lt->n - 1; v > 0; v--) {
		sibling[v] = child[lt->dom[v]];
		child[lt->dom[v]] = v;
	}
	uint32_t depth = 0;
	lt->stack[depth++] = 0;
	while (depth) {
		uint32_t v = lt->stack[depth - 1];
		if (place_of[v] == NONE) {
			uint32_t at = place_of[v] = t->n++;
			t->order[at] = lt->vertex[v];
			t->idom[at] = v ? place_of[lt->dom[v]] : 0;
		}
		uint32_t c = child[v];
		if (c == NONE) {
			t->end[place_of[v]] = t->n;
			depth--;
		} else {
			child[v] = sibling[c];
			lt->stack[depth++] = c;
		}
	}
}

void dom_compute(const IrRegion *region, Arena *arena, uint32_t *place, DomTree *out)
{
	uint32_t nblocks = 0;
	IR_FOR_BLOCKS (b, region)
		nblocks++;
	*out = (DomTree){.order = arena_array(arena, IrBlock *, nblocks),
	                 .idom = numbers(arena, nblocks),
	                 .end = numbers(arena, nblocks)};
	if (nblocks == 0)
		return;
	ArenaMark mark = arena_mark(arena);
	Lt lt = {.region = region, .number = place};
	lt_alloc(&lt, arena, nblocks);
	depth_first(&lt);
	immediate_dominators(&lt);
	/* ancestor, label and bucket are free again */
	for (uint32_t v = 0; v < lt.n; v++)
		lt.bucket[v] = NONE;
	preorder(&lt, lt.ancestor, lt.label, lt.bucket, out);
	for (uint32_t v = 0; v < lt.n; v++)
		place[lt.vertex[v]->id] = lt.bucket[v];
	arena_release(arena, mark);
}
