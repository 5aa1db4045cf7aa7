/* expand/expand.c: which ops there are to expand, and the order in which it is done. */
#include "expand/internal.h"

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
