#include "eh/token_flow.h"

#include <stdlib.h>

typedef struct Flow {
	AbiTables *t;
	IrOp *func;
	Arena *mem;
	Diags *d;
	AbiFlow *out;
	bool ordered; /* order_of_block is filled for this function */
	bool ok;
} Flow;

void abi_tables_init(AbiTables *t, const IrModule *m, Arena *mem)
{
	*t = (AbiTables){.m = m, .nvalues = m->nvalues, .nblocks = m->nblocks, .nnames = m->names.len};
	t->vertex_of_value = arena_array(mem, uint32_t, m->nvalues + 1);
	t->order_of_block = arena_array(mem, uint32_t, m->nblocks + 1);
	t->clause_of_name = arena_array(mem, uint32_t, m->names.len + 1);
}

/* Vertices */

static const char *token_name(const IrType *t)
{
	return t->kind == TYPE_EH_TOKEN        ? "!cir.eh_token"
	       : t->kind == TYPE_CLEANUP_TOKEN ? "!cir.cleanup_token"
	                                       : "!cir.catch_token";
}

static OpKind token_maker(const IrType *t)
{
	return t->kind == TYPE_EH_TOKEN        ? OP_EH_INITIATE
	       : t->kind == TYPE_CLEANUP_TOKEN ? OP_BEGIN_CLEANUP
	                                       : OP_BEGIN_CATCH;
}

static bool takes_token(const IrType *t, OpKind user)
{
	switch (user) {
	case OP_EH_DISPATCH:
	case OP_EH_TERMINATE:
	case OP_EH_UNEXPECTED:
	case OP_RESUME:
	case OP_BEGIN_CLEANUP:
	case OP_EXCEPTION:
	case OP_EH_DROP:
	case OP_BEGIN_CATCH:
	case OP_CONSTRUCT_CATCH_PARAM:
		return t->kind == TYPE_EH_TOKEN;
	case OP_END_CLEANUP:
		return t->kind == TYPE_CLEANUP_TOKEN;
	case OP_END_CATCH:
		return t->kind == TYPE_CATCH_TOKEN;
	default:
		return false;
	}
}

/* The successor that an operand is an argument of, or NULL for one of the op's own. */
static IrSucc *succ_of_use(const IrUse *u)
{
	IrOp *op = u->user;
	uint32_t at = (uint32_t)(u - op->operands);
	if (at < ir_op_nmain(op))
		return NULL;
	uint32_t low = 0, high = op->nsuccs; /* the last one that begins at or before `at` */
	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;
		if (op->succs[mid].first <= at)
			low = mid;
		else
			high = mid;
	}
	return &op->succs[low];
}

static void check_uses(Flow *f, const IrValue *v)
{
	IR_FOR_USES (u, v) {
		if (succ_of_use(u) || takes_token(v->type, u->user->kind))
			continue;
		diag_error(f->d, u->user->loc, "'%s' cannot have an operand of type %s",
		           op_info[u->user->kind].name, token_name(v->type));
		f->ok = false;
	}
}

static void add_value(Flow *f, IrValue *v)
{
	if (!ir_is_token(v->type))
		return;
	check_uses(f, v);
	if (v->type->kind != TYPE_EH_TOKEN)
		return;
	CHECK(v->id < f->t->nvalues);
	vec_push(f->mem, &f->out->vertices, ((FlowVertex){.token = v}));
	f->t->vertex_of_value[v->id] = f->out->vertices.len;
}

static void add_argument(Flow *f, IrValue *v)
{
	if (ir_is_token(v->type) && v->def.block == f->func->regions[0].first) {
		diag_error(f->d, f->func->loc, "function parameter cannot have type %s", token_name(v->type));
		f->ok = false;
	}
	add_value(f, v);
}

static void add_result(Flow *f, IrValue *v)
{
	if (ir_is_token(v->type) && v->def.op->kind != token_maker(v->type)) {
		diag_error(f->d, v->def.op->loc,
		           "'%s' cannot define a value of type %s; only '%s' and block arguments can",
		           op_info[v->def.op->kind].name, token_name(v->type),
		           op_info[token_maker(v->type)].name);
		f->ok = false;
	}
	add_value(f, v);
}

static bool collect_tokens(Flow *f)
{
	IR_FOR_BLOCKS (b, &f->func->regions[0]) {
		for (uint32_t i = 0; i < b->nargs; i++)
			add_argument(f, b->args[i]);
		IR_FOR_OPS (op, b) {
			for (uint32_t i = 0; i < op->nresults; i++)
				add_result(f, &op->results[i]);
		}
	}
	f->out->ntokens = f->out->vertices.len;
	return f->ok;
}

/* Order of blocks: reverse postorder, so that what comes first on a path without back
 * edges has the lower number. */

typedef struct BlockWalk {
	const IrBlock *block;
	uint32_t next; /* successor */
} BlockWalk;

static void order_blocks(Flow *f)
{
	if (f->ordered)
		return;
	f->ordered = true;
	uint32_t *order = f->t->order_of_block;
	VEC(BlockWalk) path = {0};
	VEC(const IrBlock *) done = {0};
	const IrBlock *entry = f->func->regions[0].first;
	order[entry->id] = 1; /* seen; the final number comes below */
	vec_push(f->mem, &path, ((BlockWalk){entry, 0}));
	while (path.len) {
		BlockWalk *top = &path.data[path.len - 1];
		const IrOp *end = ir_block_terminator(top->block);
		if (!end || top->next == end->nsuccs) {
			vec_push(f->mem, &done, top->block);
			path.len--;
			continue;
		}
		const IrBlock *to = end->succs[top->next++].dest;
		CHECK(to->id < f->t->nblocks);
		if (order[to->id])
			continue;
		order[to->id] = 1;
		vec_push(f->mem, &path, ((BlockWalk){to, 0}));
	}
	for (uint32_t i = 0; i < done.len; i++)
		order[done.data[i]->id] = done.len - i;
}

/* Edges */

typedef struct Step {
	uint32_t order, to;
} Step;

typedef VEC(Step) Steps;

static int compare_steps(const void *a, const void *b)
{
	const Step *x = a, *y = b;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

static bool is_sink(OpKind kind)
{
	return kind == OP_EH_DISPATCH || kind == OP_EH_TERMINATE || kind == OP_EH_UNEXPECTED;
}

static uint32_t add_sink(Flow *f, IrOp *op)
{
	vec_push(f->mem, &f->out->vertices, ((FlowVertex){.sink = op}));
	return f->out->vertices.len - 1;
}

static uint32_t vertex_of_argument(Flow *f, const IrSucc *s, uint32_t index)
{
	uint32_t v = index < s->dest->nargs ? abi_flow_vertex(f->t, s->dest->args[index]) : UINT32_MAX;
	if (v == UINT32_MAX) {
		diag_error(f->d, s->op->loc,
		           "argument #%u of successor #%u of '%s' must have type !cir.eh_token", index,
		           ir_succ_index(s), op_info[s->op->kind].name);
		f->ok = false;
	}
	return v;
}

/* Uses of one token are in no useful order; the order in which control reaches them
 * decides between their clauses. */
static void sort_steps(Flow *f, Steps *steps, const IrValue *token)
{
	if (steps->len < 2)
		return;
	order_blocks(f);
	uint32_t n = 0;
	IR_FOR_USES (u, token) {
		if (is_sink(u->user->kind) || succ_of_use(u)) {
			uint32_t order = f->t->order_of_block[u->user->block->id];
			steps->data[n++].order = order ? order : UINT32_MAX;
		}
	}
	CHECK(n == steps->len);
	qsort(steps->data, steps->len, sizeof *steps->data, compare_steps);
}

/* Where the exception of `token` has taken the place of another one, that is dropped, whoever takes the new one. */
static bool has_drop(const IrModule *m, const IrValue *token)
{
	if (!m->made[OP_EH_DROP])
		return false;
	IR_FOR_OPS (op, token->is_arg ? token->def.block : token->def.op->block)
		if (op->kind == OP_EH_DROP)
			return true;
	return false;
}

static void add_token_edges(Flow *f, uint32_t vertex, Steps *steps)
{
	const IrValue *token = f->out->vertices.data[vertex].token;
	steps->len = 0;
	f->out->vertices.data[vertex].cleanup = has_drop(f->t->m, token);
	IR_FOR_USES (u, token) {
		const IrSucc *s = succ_of_use(u);
		if (s) {
			uint32_t index = (uint32_t)(u - u->user->operands) - s->first;
			vec_push(f->mem, steps, ((Step){0, vertex_of_argument(f, s, index)}));
		} else if (is_sink(u->user->kind)) {
			vec_push(f->mem, steps, ((Step){0, add_sink(f, u->user)}));
		} else if (u->user->kind == OP_BEGIN_CLEANUP) {
			f->out->vertices.data[vertex].cleanup = true;
		}
	}
	sort_steps(f, steps, token);
	for (uint32_t i = 0; i < steps->len; i++)
		vec_push(f->mem, &f->out->edges, steps->data[i].to);
}

static void add_sink_edges(Flow *f, const IrOp *op)
{
	if (op->kind != OP_EH_DISPATCH)
		return;
	const IrAttr *filter = abi_dispatch_filter(op);
	bool closed = abi_dispatch_catches_all(op) || (filter && filter->n == 0);
	uint32_t to = vertex_of_argument(f, &op->succs[op->nsuccs - 1], 0);
	if (!closed)
		vec_push(f->mem, &f->out->edges, to);
}

static bool connect(Flow *f)
{
	Steps steps = {0};
	for (uint32_t i = 0; i < f->out->vertices.len; i++) { /* sinks are added on the way */
		uint32_t first = f->out->edges.len;
		if (f->out->vertices.data[i].sink)
			add_sink_edges(f, f->out->vertices.data[i].sink);
		else
			add_token_edges(f, i, &steps);
		f->out->vertices.data[i].first = first;
		f->out->vertices.data[i].nedges = f->out->edges.len - first;
	}
	return f->ok;
}

/* Components: Tarjan's algorithm, with its own stack. */

typedef struct Components {
	AbiFlow *flow;
	uint32_t *index, *low; /* of each vertex, from 1; 0: not seen yet */
	bool *open;            /* seen, and its component is not known yet */
	uint32_t *pending, npending;
	uint32_t *path, npath; /* vertices being visited */
	uint32_t *next_edge;
	uint32_t seen, nmembers;
} Components;

static void enter_vertex(Components *c, uint32_t v)
{
	c->index[v] = c->low[v] = ++c->seen;
	c->open[v] = true;
	c->pending[c->npending++] = v;
	c->path[c->npath++] = v;
}

static void close_component(Components *c, uint32_t root)
{
	AbiFlow *out = c->flow;
	out->first[out->ncomponents] = c->nmembers;
	uint32_t v;
	do {
		v = c->pending[--c->npending];
		c->open[v] = false;
		out->component[v] = out->ncomponents;
		out->members[c->nmembers++] = v;
	} while (v != root);
	out->first[++out->ncomponents] = c->nmembers;
}

static void visit_from(Components *c, uint32_t start)
{
	enter_vertex(c, start);
	while (c->npath) {
		uint32_t v = c->path[c->npath - 1];
		const FlowVertex *vertex = &c->flow->vertices.data[v];
		if (c->next_edge[v] < vertex->nedges) {
			uint32_t to = c->flow->edges.data[vertex->first + c->next_edge[v]++];
			if (!c->index[to])
				enter_vertex(c, to);
			else if (c->open[to] && c->index[to] < c->low[v])
				c->low[v] = c->index[to];
			continue;
		}
		c->npath--;
		if (c->npath && c->low[v] < c->low[c->path[c->npath - 1]])
			c->low[c->path[c->npath - 1]] = c->low[v];
		if (c->low[v] == c->index[v])
			close_component(c, v);
	}
}

static void find_components(Flow *f)
{
	uint32_t n = f->out->vertices.len;
	f->out->component = arena_array(f->mem, uint32_t, n);
	f->out->members = arena_array(f->mem, uint32_t, n);
	f->out->first = arena_array(f->mem, uint32_t, (size_t)n + 1);
	Components c = {.flow = f->out};
	c.index = arena_array(f->mem, uint32_t, n);
	c.low = arena_array(f->mem, uint32_t, n);
	c.open = arena_array(f->mem, bool, n);
	c.pending = arena_array(f->mem, uint32_t, n);
	c.path = arena_array(f->mem, uint32_t, n);
	c.next_edge = arena_array(f->mem, uint32_t, n);
	for (uint32_t v = 0; v < n; v++)
		if (!c.index[v])
			visit_from(&c, v);
}

bool abi_flow(AbiTables *t, IrOp *func, Arena *mem, Diags *d, AbiFlow *out)
{
	*out = (AbiFlow){0};
	Flow f = {.t = t, .func = func, .mem = mem, .d = d, .out = out, .ok = true};
	if (!collect_tokens(&f) || !connect(&f))
		return false;
	find_components(&f);
	return true;
}

/* Only initiates, cleanups and catches make tokens, each from the one before. */
static unsigned erase_round(const IrOp *op)
{
	switch (op->kind) {
	case OP_EH_INITIATE:
		return 2;
	case OP_BEGIN_CLEANUP:
	case OP_BEGIN_CATCH:
		return 1;
	default:
		return 0;
	}
}

void abi_erase_token_ops(IrOp *const *ops, uint32_t n)
{
	for (unsigned round = 0; round < 3; round++)
		for (uint32_t i = 0; i < n; i++)
			if (erase_round(ops[i]) == round)
				ir_op_erase(ops[i]);
}
