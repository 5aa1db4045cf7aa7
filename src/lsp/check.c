#include "lsp/check.h"

#include <stdlib.h>

static void take_message(const CircDiagnostic *diagnostic, void *user)
{
	LspCheck *c = user;
	const char *text = arena_copy(c->mem, diagnostic->message, strlen(diagnostic->message));
	LspMessage m = {diagnostic->severity, diagnostic->line, diagnostic->column, text};
	vec_push(c->mem, &c->messages, m);
}

LspCheck *lsp_check_create(Arena *mem, const char *name, Str text, const LspCheckOptions *o)
{
	LspCheck *c = arena_new(mem, LspCheck);
	c->mem = mem;
	c->options = o->pipeline;
	diag_init(&c->d, take_message, c);
	c->m = ir_module_create();
	if (!c->m) {
		diag_failure(&c->d, "out of memory");
		return c;
	}
	ir_module_guard(c->m, mem->oom);
	c->is_good = text_parse_as(c->m, arena_copy(mem, name, strlen(name)), text, o->from, &c->d) &&
	             pipeline_open(&c->pipeline, &c->options, c->m, &c->d) &&
	             pipeline_run(&c->pipeline, GOAL_VERIFIED);
	return c;
}

void lsp_check_destroy(LspCheck *c)
{
	if (!c)
		return;
	if (c->pipeline.triple)
		pipeline_close(&c->pipeline);
	if (c->m)
		ir_module_destroy(c->m);
	c->m = NULL;
}

static int compare_places(const void *a, const void *b)
{
	const IrOp *const *x = a, *const *y = b;
	return ((*x)->loc.pos > (*y)->loc.pos) - ((*x)->loc.pos < (*y)->loc.pos);
}

static void collect_ops(LspCheck *c)
{
	for (IrOp *op = ir_walk_first(&c->m->body); op; op = ir_walk_next(op, &c->m->body))
		if (op->loc.pos)
			vec_push(c->mem, &c->ops, op);
	if (c->ops.len)
		qsort(c->ops.data, c->ops.len, sizeof *c->ops.data, compare_places);
}

const IrOp *lsp_check_op(LspCheck *c, uint32_t begin, uint32_t end)
{
	if (!c->is_good)
		return NULL;
	if (!c->ops.len)
		collect_ops(c);
	uint32_t low = 0, high = c->ops.len;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (c->ops.data[middle]->loc.pos - 1 < begin)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->ops.len && c->ops.data[low]->loc.pos - 1 <= end ? c->ops.data[low] : NULL;
}
