/* flatten/when.c: before the walk, the filter of a handler `when` becomes a function, which the unwinder calls before anything
 * is unwound; from
 *
 * 	cir.try { … } catch when (%r: !cir.ptr<!rec>) { ops with %x, a variable; cir.yield %d } do (%t) { … }
 *
 * to
 *
 * 	cir.try { … } catch [type @f.when] (%t) { … }          a function in place of a type
 *
 * 	cir.func internal @f.when(%r: !cir.ptr<!rec>, %frame: !cir.ptr<!void>) -> !s32i {
 * 	  %x = circ.localrecover @f, %frame [0]
 * 	  %answer = cir.alloca = 0
 * 	  cir.try { cir.store (cir.scope { ops; cir.yield %d }), %answer } catch all { }
 * 	  cir.return (cir.load %answer)
 * 	}
 *
 * An exception that leaves the filter means 0: go on searching (docs/exceptions.md); with `circ.eh.filters = "nested"` the cir.try is left
 * out. Of the values that the filter names, constants
 * are made again, variables of the function are found by circ.localescape, and others are kept in variables of their own,
 * stored where they are defined. For debuggers the place of each is stored in the filter.
 *
 * Cost: ops of filters, uses of the values that they name.
 */
#include "flatten/internal.h"

#include "ir/catch_region.h"
#include "ir/debug_source.h"
#include "ir/eh_runtime.h"
#include "ir/layout.h"
#include "ir/try.h"

typedef struct Filter {
	Flatten *f;
	IrOp *func;
	IrBuilder front; /* in its entry block, before all else */
	IrValue *frame;
	IrSource *source;
	PtrMap inner; /* value of the function → the same in the filter */
} Filter;

static bool is_in(const IrOp *func, const IrOp *op)
{
	while (op && op != func)
		op = ir_op_parent(op);
	return op != NULL;
}

static bool is_own(const Filter *w, const IrValue *v)
{
	return is_in(w->func, v->is_arg ? v->def.block->region->op : v->def.op);
}

static bool is_variable(const IrValue *v)
{
	return !v->is_arg && v->def.op->kind == OP_ALLOCA && !v->def.op->noperands;
}

static bool is_remade(const IrValue *v)
{
	return !v->is_arg && (v->def.op->kind == OP_CONST || v->def.op->kind == OP_GET_GLOBAL);
}

/* A variable that holds v from its definition on. */
static IrValue *keep_in_variable(Flatten *f, IrValue *v)
{
	IrBlock *entry = f->func->regions[0].first;
	IrBuilder b = {.m = f->m, .block = entry, .before = entry->first, .loc = f->func->loc};
	IrValue *slot = ir_build_alloca(&b, v->type, STR("__seen_by_filter"), ir_type_align(v->type));
	IrBlock *home = v->is_arg ? v->def.block : v->def.op->block;
	IrOp *next = v->is_arg ? home->first : v->def.op->next;
	while (v->is_arg && home == entry && next && next->kind == OP_ALLOCA)
		next = next->next;
	IrBuilder at = {
	    .m = f->m, .block = home, .before = next, .loc = v->is_arg ? home->loc : v->def.op->loc};
	ir_build_store(&at, v, slot);
	return slot;
}

/* To the entry block: a cleanup that it stands in may be copied, and all copies have one filter. */
static void move_to_entry(Flatten *f, IrOp *variable)
{
	IrBlock *entry = f->func->regions[0].first;
	if (variable->block == entry)
		return;
	ir_op_remove(variable);
	ir_op_insert_before(entry->first, variable);
}

static uint32_t escape_index(Flatten *f, IrValue *variable)
{
	for (uint32_t i = 0; i < f->escapes.len; i++)
		if (f->escapes.data[i] == variable)
			return i;
	move_to_entry(f, variable->def.op);
	vec_push(f->mem, &f->escapes, variable);
	return f->escapes.len - 1;
}

static IrValue *recover(Filter *w, IrValue *variable)
{
	IrModule *m = w->f->m;
	IrValue *v = ptrmap_get(&w->inner, variable);
	if (v)
		return v;
	IrType *type = variable->type;
	IrNamedAttr attrs[] = {
	    {ir_known_name(m, NAME_function), ir_attr_symbol(m, ir_symbol_name(w->f->func))},
	    {ir_known_name(m, NAME_index), ir_attr_i64(m, escape_index(w->f, variable))}};
	IrOp *op = ir_build_spec(&w->front, &(IrOpSpec){.kind = OP_LOCALRECOVER,
	                                                .operands = &w->frame,
	                                                .noperands = 1,
	                                                .result_types = &type,
	                                                .nresults = 1,
	                                                .attrs = attrs,
	                                                .nattrs = ARRAY_LEN(attrs)});
	ptrmap_put(w->f->mem, &w->inner, variable, &op->results[0]);
	ir_source_keep(&w->front, w->source, variable, &op->results[0]);
	return &op->results[0];
}

static IrValue *remake(Filter *w, const IrOp *op)
{
	ArenaMark mark = arena_mark(&w->f->m->scratch);
	IrOpSpec spec = ir_op_spec(op, &w->f->m->scratch);
	IrOp *copy = ir_build_spec(&w->front, &spec);
	arena_release(&w->f->m->scratch, mark);
	return &copy->results[0];
}

/* What stands in the filter for a value of the function around. */
static IrValue *seen(Filter *w, IrValue *v)
{
	IrValue *known = ptrmap_get(&w->inner, v);
	if (known)
		return known;
	if (is_variable(v))
		return recover(w, v);
	IrValue *in = is_remade(v) ? remake(w, v->def.op) : NULL;
	if (!in) {
		IrValue *slot = recover(w, keep_in_variable(w->f, v));
		in = ir_build_load(&w->front, slot);
	}
	ptrmap_put(w->f->mem, &w->inner, v, in);
	return in;
}

static void see_values(Filter *w)
{
	const IrRegion *body = &w->func->regions[0];
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		for (uint32_t i = 0; i < op->noperands; i++)
			if (!is_own(w, op->operands[i].value))
				ir_set_operand(op, i, seen(w, op->operands[i].value));
}

/* scope { the filter's ops } and its value. */
static IrValue *build_scope(Filter *w, IrBuilder *b, IrRegion *filter)
{
	IrOp *scope = ir_build_regions(b, OP_SCOPE, NULL, w->f->m->s32, 1);
	ir_region_move_blocks(filter, &scope->regions[0]);
	return &scope->results[0];
}

/* { scope; yield }, whose value goes to `answer`. */
static void fill_body(Filter *w, IrOp *guarded, IrRegion *filter, IrValue *answer)
{
	IrBuilder in = ir_in_region(&w->front, &guarded->regions[0]);
	ir_build_store(&in, build_scope(w, &in, filter), answer);
	ir_build_yield(&in, NULL);
	IrBuilder caught = ir_in_region(&w->front, &guarded->regions[1]);
	ir_block_add_arg(w->f->m, caught.block, ir_type_simple(w->f->m, TYPE_EH_TOKEN));
	ir_build_yield(&caught, NULL);
	ir_wrap_in_catch(w->f->m, &guarded->regions[1], w->f->m->voidp, w->front.loc);
}

/* The filter's answer, 0 if it throws. */
static IrValue *build_guarded(Filter *w, IrBuilder *b, IrRegion *filter)
{
	IrModule *m = w->f->m;
	const IrAttr *all = ir_attr_enum(m, ENUM_HANDLER, HANDLER_ALL);
	IrNamedAttr handlers = {ir_known_name(m, NAME_handler_types), ir_attr_array(m, &all, 1)};
	IrValue *answer = ir_build_alloca(b, m->s32, STR("__answer"), 4);
	ir_build_store(b, ir_build_const_int(b, m->s32, 0), answer);
	IrOp *guarded =
	    ir_build_spec(b, &(IrOpSpec){.kind = OP_TRY, .nregions = 2, .attrs = &handlers, .nattrs = 1});
	fill_body(w, guarded, filter, answer);
	return ir_build_load(b, answer);
}

static void fill_function(Filter *w, IrRegion *filter)
{
	IrModule *m = w->f->m;
	IrBlock *entry = ir_func_add_entry(m, w->func), *old = filter->first;
	ir_value_replace(old->args[0], entry->args[0]);
	ir_block_remove_arg(old, 0);
	w->frame = entry->args[1];
	IrBuilder b = w->front = ir_at_end(m, entry, w->func->loc);
	IrValue *result =
	    ir_module_nests_filters(m) ? build_scope(w, &b, filter) : build_guarded(w, &b, filter);
	ir_build(&b, OP_RETURN, NULL, &result, 1);
	w->front.before = entry->first;
}

/* The function of a filter, whose region is empty afterwards. */
static IrOp *outline(Flatten *f, IrRegion *filter, Loc loc)
{
	IrType *params[] = {filter->first->args[0]->type, f->m->voidp};
	IrType *type = ir_type_func(f->m, params, ARRAY_LEN(params), f->m->s32, false);
	Filter w = {.f = f, .func = ir_func_create_part(f->m, f->func, "when", type, loc)};
	const IrAttr *personality = ir_op_attr(f->func, NAME_personality);
	if (personality)
		ir_op_set_attr(f->m, w.func, ir_known_name(f->m, NAME_personality), personality);
	fill_function(&w, filter);
	w.source = ir_source_remember(f->m, w.func);
	see_values(&w);
	return w.func;
}

/* op with functions in place of its filters, which lose their regions. */
static void replace_try(Flatten *f, IrOp *op)
{
	IrModule *m = f->m;
	uint32_t n = ir_try_nhandlers(op), nregions = 0;
	const IrAttr **uses = arena_array(f->mem, const IrAttr *, n);
	IrRegion **regions = arena_array(f->mem, IrRegion *, op->nregions);
	TryHandler h;
	regions[nregions++] = &op->regions[0];
	IR_FOR_HANDLERS(&h, op)
	{
		regions[nregions++] = h.region;
		uses[h.index] = h.use;
		if (h.filter)
			uses[h.index] =
			    ir_attr_symbol(m, ir_symbol_name(outline(f, h.filter, h.filter->first->loc)));
	}
	if (ir_try_finally(op))
		regions[nregions++] = ir_try_finally(op);
	ArenaMark mark = arena_mark(&m->scratch);
	IrOpSpec spec = ir_op_spec(op, &m->scratch);
	spec.nregions = nregions;
	IrBuilder b = ir_before(m, op);
	IrOp *made = ir_build_spec(&b, &spec);
	arena_release(&m->scratch, mark);
	ir_op_set_attr(m, made, ir_known_name(m, NAME_handler_types), ir_attr_array(m, uses, n));
	for (uint32_t i = 0; i < nregions; i++)
		ir_region_move_blocks(regions[i], &made->regions[i]);
	ir_op_erase(op);
}

static bool has_filter(const IrOp *op)
{
	TryHandler h;
	bool found = false;
	IR_FOR_HANDLERS(&h, op)
	found = found || h.filter;
	return found;
}

bool flatten_outline_filters(Flatten *f)
{
	VEC(IrOp *) found = {0};
	const IrRegion *body = &f->func->regions[0];
	if (!f->m->made[OP_TRY])
		return true;
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		if (op->kind == OP_TRY && has_filter(op))
			vec_push(f->mem, &found, op);
	for (uint32_t i = 0; i < found.len; i++)
		if (is_in(
		        f->func,
		        found.data
		            [i])) /* what stands in a filter went with it, and waits for that function's turn */
			replace_try(f, found.data[i]);
	return true;
}

/* Variables of the entry block may stand anywhere in it; here all stand before the op that names them. */
void flatten_escape_variables(Flatten *f)
{
	if (!f->escapes.len)
		return;
	for (uint32_t i = 0; i < f->escapes.len; i++) {
		IrOp *variable = f->escapes.data[i]->def.op;
		if (variable == f->last_hoisted)
			continue;
		ir_op_remove(variable);
		flatten_hoist(f, variable);
	}
	IrBuilder b = {.m = f->m, .block = f->entry, .before = f->last_hoisted->next, .loc = f->func->loc};
	ir_build(&b, OP_LOCALESCAPE, NULL, f->escapes.data, f->escapes.len);
}
