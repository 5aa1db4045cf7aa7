#include "expand/internal.h"

#include "ir/catch_region.h"

/* Names and functions */

IrOp *expand_function(Expand *x, const char *stem, Loc loc, IrBuilder *b)
{
	IrType *type = ir_type_func(x->m, NULL, 0, ir_type_simple(x->m, TYPE_VOID), false);
	IrOp *func = ir_func_create(x->m, ir_free_name(x->m, str_of(stem)), type, loc);
	ir_set_enum(x->m, func, NAME_linkage, ENUM_LINKAGE, LINKAGE_INTERNAL);
	*b = ir_at_end(x->m, ir_func_add_entry(x->m, func), loc);
	return func;
}

void expand_return(IrBuilder *b)
{
	ir_build(b, OP_RETURN, NULL, NULL, 0);
}

bool expand_call(Expand *x, IrBuilder *b, const LibFn *fn, IrValue *const *args, uint32_t nargs,
                 IrValue **result)
{
	IrOp *call = libfn_call(b, fn, args, nargs, x->d);
	if (!call)
		return false;
	if (fn->nothrow)
		ir_set_flag(x->m, call, NAME_nothrow);
	if (result)
		*result = &call->results[0];
	return true;
}

/* Regions */

/* In functions, which regions of globals become parts of, addresses of guarded variables are marked. */
static void mark_static_locals(IrModule *m, const IrRegion *region)
{
	for (IrOp *op = ir_walk_first(region); op; op = ir_walk_next(op, region)) {
		if (op->kind != OP_GET_GLOBAL || ir_op_has(op, NAME_static_local))
			continue;
		const IrOp *symbol = ir_symbol(ir_op_symbol(op, NAME_symbol));
		if (ir_op_has(symbol, NAME_static_local_guard))
			ir_set_flag(m, op, NAME_static_local);
	}
}

void expand_move(IrBuilder *b, IrRegion *region)
{
	IrBlock *from = region->first;
	CHECK(from && from == region->last);
	mark_static_locals(b->m, region);
	const IrOp *end = ir_block_terminator(from);
	if (end && end->kind != OP_YIELD) { /* what comes behind is never reached, but must have a place */
		IrOp *scope = ir_build_regions(b, OP_SCOPE, NULL, NULL, 1);
		ir_region_move_blocks(region, &scope->regions[0]);
		return;
	}
	for (IrOp *op = ir_block_take_ops(from), *next; op; op = next) {
		next = op->next;
		op->next = op->prev = NULL;
		if (op->kind == OP_YIELD) {
			ir_op_erase(op);
			break;
		}
		if (b->before)
			ir_op_insert_before(b->before, op);
		else
			ir_op_append(b->block, op);
	}
	ir_block_remove(from);
}

/* What the target and the symbols are */

bool expand_is_microsoft(const Expand *x)
{
	return x->target->runtime == RUNTIME_MICROSOFT;
}

bool expand_is_weak(const IrOp *symbol)
{
	switch (ir_op_enum(symbol, NAME_linkage, LINKAGE_EXTERNAL)) {
	case LINKAGE_LINKONCE:
	case LINKAGE_LINKONCE_ODR:
	case LINKAGE_WEAK:
	case LINKAGE_WEAK_ODR:
		return true;
	default:
		return false;
	}
}

bool expand_is_local(const IrOp *symbol)
{
	unsigned linkage = ir_op_enum(symbol, NAME_linkage, LINKAGE_EXTERNAL);
	return linkage == LINKAGE_INTERNAL || linkage == LINKAGE_CIR_PRIVATE;
}

/* The pass */

typedef bool ExpandFn(Expand *x, IrOp *op);

static ExpandFn *const expanders[OP_COUNT] = {
    [OP_LOCAL_INIT] = expand_local_init,
    [OP_REGISTER_EXIT_DTOR] = expand_register_exit_dtor,
    [OP_DYN_CAST] = expand_dyn_cast,
};

static bool uses_wrapper(const IrOp *op)
{
	const IrOp *global = op->kind == OP_GET_GLOBAL ? ir_symbol(ir_op_symbol(op, NAME_symbol)) : NULL;
	return global && ir_op_has(global, NAME_tls_refs);
}

static bool is_dynamic(const IrOp *op)
{
	return op->kind == OP_GLOBAL &&
	       (op->regions[0].first || op->regions[1].first || ir_op_has(op, NAME_tls_refs));
}

typedef struct Found {
	OpList globals, uses, ops;
} Found;

static void collect(const Expand *x, Found *f)
{
	const IrRegion *body = &x->m->body;
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body)) {
		if (is_dynamic(op))
			vec_push(x->mem, &f->globals, op);
		else if (uses_wrapper(op))
			vec_push(x->mem, &f->uses, op);
		else if (expanders[op->kind])
			vec_push(x->mem, &f->ops, op);
	}
}

static bool expand_all(Expand *x, const Found *f)
{
	for (uint32_t i = 0; i < f->uses.len; i++) /* before the regions of globals move */
		if (!expand_thread_local_use(x, f->uses.data[i]))
			return false;
	for (uint32_t i = 0; i < f->globals.len; i++)
		if (!expand_global(x, f->globals.data[i]))
			return false;
	for (uint32_t i = 0; i < f->ops.len; i++)
		if (!expanders[f->ops.data[i]->kind](x, f->ops.data[i]))
			return false;
	return expand_finish_globals(x) && expand_finish_thread_locals(x);
}

/* What asks for something to expand: an op, or an attribute of the module. */
static const char *asker(IrModule *m, const IrOp *first)
{
	static const NameId attrs[] = {NAME_cxx_module_init_fn_name, NAME_cxx_module_imported_inits};
	if (first)
		return arena_printf(&m->scratch, "'%s' op", op_info[first->kind].name);
	for (unsigned i = 0; i < ARRAY_LEN(attrs); i++)
		if (ir_module_attr(m, attrs[i]))
			return arena_printf(&m->scratch, "'%s'", ir_known_name(m, attrs[i])->text);
	return NULL;
}

bool expand_module(IrModule *m, const AbiTarget *target, Diags *d)
{
	ArenaMark mark = arena_mark(&m->scratch);
	Expand x = {.m = m, .target = target, .d = d, .mem = &m->scratch};
	Found f = {0};
	ir_module_settle_exceptions(m);
	collect(&x, &f);
	const IrOp *first = f.globals.len ? f.globals.data[0] : f.ops.len ? f.ops.data[0] : NULL;
	const char *who = asker(m, first);
	bool ok = true;
	if (who && !target) {
		Str triple = ir_module_triple(m);
		diag_error(d, first ? first->loc : (Loc){0},
		           "%s needs the C++ runtime, but circ has none for target '%.*s'", who,
		           (int)triple.len, triple.data);
		ok = false;
	} else if (who) {
		const IrOp *last = ir_module_block(m)->last;
		ok = expand_all(&x, &f);
		expand_share_cpu(&x, last);
	}
	arena_release(&m->scratch, mark);
	return ok;
}
