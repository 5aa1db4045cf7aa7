#include "api/api.h"

#include "ir/constraint.h"
#include "ir/spell.h"

#include <stdarg.h>
#include <stdio.h>

bool api_begin(ApiCall *c, CircModule *m, const char *function)
{
	if (!m || !m->api)
		return false;
	*c = (ApiCall){.m = m, .api = m->api, .function = function};
	c->api->d.errors = 0; /* the limit is for one call */
	if (c->api->broken)
		return api_error(c, "an earlier call failed halfway; destroy the module");
	c->scratch = arena_mark(&m->scratch);
	c->former = ir_module_guard(m, &c->guard);
	return true;
}

void api_expect_warnings(ApiCall *c)
{
	if (!c->m->warned)
		diag_memory_free(&c->api->said);
	c->api->said.turn++;
}

void api_end(ApiCall *c)
{
	arena_release(&c->m->scratch, c->scratch);
	ir_module_guard(c->m, c->former);
}

void api_out_of_memory_for_copy(ApiCall *c)
{
	api_end(c);
	diag_failure(&c->api->d, "%s: out of memory", c->function);
}

void api_out_of_memory(ApiCall *c)
{
	c->api->broken = true;
	api_out_of_memory_for_copy(c);
}

bool api_error(ApiCall *c, const char *fmt, ...)
{
	char message[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(message, sizeof message, fmt, ap);
	va_end(ap);
	diag_error(&c->api->d, c->loc, "%s: %s", c->function, message);
	return false;
}

bool api_given(ApiCall *c, const void *p, const char *what)
{
	return p || api_error(c, "'%s' is NULL", what);
}

bool api_text(ApiCall *c, const char *text, size_t len)
{
	if (len >= INT32_MAX)
		return api_error(c, "text is too large: it has %zu bytes (limit 2 GiB)", len);
	return api_given(c, text, "text");
}

bool api_count(ApiCall *c, size_t n, const void *array, const char *what)
{
	if (n && !array)
		return api_error(c, "'%s' is NULL, but its count is %zu", what, n);
	return n <= UINT32_MAX / 2 || api_error(c, "'%s' has too many elements: %zu", what, n);
}

static bool foreign(ApiCall *c, const char *what)
{
	return api_error(c, "'%s' does not belong to this module, or was erased", what);
}

/* Types and attributes */

bool api_type(ApiCall *c, const IrType *t, const char *what)
{
	if (!api_given(c, t, what))
		return false;
	return ir_type_belongs(c->m, t) || foreign(c, what);
}

bool api_value_type(ApiCall *c, const IrType *t, const char *what)
{
	if (!api_type(c, t, what))
		return false;
	return type_is_value(t) || t->kind == TYPE_BITFIELD ||
	       api_error(c, "'%s' is %s, which is not a type of values", what, api_type_str(c, t));
}

bool api_types(ApiCall *c, IrType *const *types, size_t n, const char *what)
{
	if (!api_count(c, n, types, what))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!api_type(c, types[i], what))
			return false;
	return true;
}

bool api_attr(ApiCall *c, const IrAttr *a, const char *what)
{
	if (!api_given(c, a, what))
		return false;
	return ir_attr_belongs(c->m, a) || foreign(c, what);
}

bool api_attrs(ApiCall *c, const IrAttr *const *attrs, size_t n, const char *what)
{
	if (!api_count(c, n, attrs, what))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!api_attr(c, attrs[i], what))
			return false;
	return true;
}

/* Nesting as the text has it: a named record is one name, whatever is in it. */

static void set_depth(Arena *a, Depths *depths, uint32_t id, unsigned depth)
{
	while (depths->len <= id)
		vec_push(a, depths, 0);
	depths->data[id] = (uint16_t)depth;
}

static unsigned type_depth(IrModule *m, const IrType *t)
{
	if (!t || (t->kind == TYPE_RECORD && t->name))
		return 1;
	if (t->id < m->api->type_depth.len && m->api->type_depth.data[t->id])
		return m->api->type_depth.data[t->id];
	unsigned depth = t->elem ? type_depth(m, t->elem) : 0;
	for (uint32_t i = 0; i < t->nmembers; i++) {
		unsigned member = type_depth(m, t->members[i]);
		depth = member > depth ? member : depth;
	}
	if (t->padding && type_depth(m, t->padding) > depth)
		depth = type_depth(m, t->padding);
	set_depth(&m->arena, &m->api->type_depth, t->id, depth + 1);
	return depth + 1;
}

static unsigned attr_depth(IrModule *m, const IrAttr *a)
{
	if (!a)
		return 0;
	if (a->id < m->api->attr_depth.len && m->api->attr_depth.data[a->id])
		return m->api->attr_depth.data[a->id];
	unsigned depth = type_depth(m, a->type), inner = a->elem_type ? type_depth(m, a->elem_type) : 0;
	depth = inner > depth ? inner : depth;
	for (uint32_t i = 0; i < a->n; i++) {
		inner = attr_depth(m, a->elems[i]);
		depth = inner > depth ? inner : depth;
	}
	set_depth(&m->arena, &m->api->attr_depth, a->id, depth + 1);
	return depth + 1;
}

/* One level is left for what stands around it: the op's dictionary, the alias. */
static bool depth_fits(ApiCall *c, unsigned depth)
{
	return depth + 2 < TYPE_DEPTH_MAX ||
	       api_error(c, "types and attributes are nested deeper than %d levels", TYPE_DEPTH_MAX);
}

bool api_type_fits_over(ApiCall *c, const IrType *part)
{
	return depth_fits(c, type_depth(c->m, part));
}

bool api_attr_fits_over(ApiCall *c, const IrAttr *part)
{
	return depth_fits(c, attr_depth(c->m, part));
}

/* Blocks and what is in them */

static bool remember(IrModule *m, IrBlock *b)
{
	ApiCall c;
	if (!api_begin(&c, m, "circ"))
		return false;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return false;
	}
	while (c.api->blocks.len <= b->id)
		vec_push(&m->arena, &c.api->blocks, NULL);
	c.api->blocks.data[b->id] = b;
	api_end(&c);
	return true;
}

IrBlock *api_hand_out(IrModule *m, IrBlock *b)
{
	return !b || api_is_ours(m, b) || remember(m, b) ? b : NULL;
}

/* What a handle that has ended points to may be gone. */
static bool is_here(const IrModule *m, const void *at)
{
	return at && (pool_holds(&m->pool, at) || pool_holds(&m->symbols, at));
}

bool api_is_ours(const IrModule *m, const IrBlock *b)
{
	const ApiState *api = m->api;
	return is_here(m, b) && b->id < api->blocks.len && api->blocks.data[b->id] == b;
}

bool api_is_our_op(const IrModule *m, const IrOp *op)
{
	return is_here(m, op) && api_is_ours(m, op->block);
}

bool api_is_our_value(const IrModule *m, const IrValue *v)
{
	return is_here(m, v) && (v->is_arg ? api_is_ours(m, v->def.block) : api_is_our_op(m, v->def.op));
}

bool api_is_our_region(const IrModule *m, const IrRegion *r)
{
	return r == &m->body || (is_here(m, r) && api_is_our_op(m, r->op));
}

void api_forget_blocks(IrModule *m)
{
	ApiState *api = m->api;
	if (api->blocks.len)
		memset(api->blocks.data, 0, api->blocks.len * sizeof(IrBlock *));
	api_hand_out(m, ir_module_block(m));
}

static void forget_blocks_in(IrModule *m, const IrOp *op)
{
	ApiState *api = m->api;
	for (uint32_t i = 0; i < op->nregions; i++)
		IR_FOR_BLOCKS (b, &op->regions[i])
			if (api_is_ours(m, b))
				api->blocks.data[b->id] = NULL;
}

void api_forget_regions(IrModule *m, const IrOp *op)
{
	forget_blocks_in(m, op);
	for (uint32_t i = 0; i < op->nregions; i++)
		for (const IrOp *o = ir_walk_first(&op->regions[i]); o; o = ir_walk_next(o, &op->regions[i]))
			forget_blocks_in(m, o);
}

bool api_block(ApiCall *c, const IrBlock *b, const char *what)
{
	return api_given(c, b, what) && (api_is_ours(c->m, b) || foreign(c, what));
}

bool api_op(ApiCall *c, const IrOp *op, const char *what)
{
	return api_given(c, op, what) && (api_is_our_op(c->m, op) || foreign(c, what));
}

bool api_region(ApiCall *c, const IrRegion *r, const char *what)
{
	return api_given(c, r, what) && (api_is_our_region(c->m, r) || foreign(c, what));
}

bool api_value(ApiCall *c, const IrValue *v, const char *what)
{
	return api_given(c, v, what) && (api_is_our_value(c->m, v) || foreign(c, what));
}

bool api_values(ApiCall *c, IrValue *const *v, size_t n, const char *what)
{
	if (!api_count(c, n, v, what))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!api_value(c, v[i], what))
			return false;
	return true;
}

bool api_symbol(ApiCall *c, const IrOp *op, OpKind kind, const char *what)
{
	return api_op(c, op, what) &&
	       (op->kind == kind || api_error(c, "'%s' is a %s; expected a %s", what, op_info[op->kind].name,
	                                      op_info[kind].name));
}

const char *api_type_str(ApiCall *c, const IrType *t)
{
	return ir_type_str(&c->m->scratch, t);
}
