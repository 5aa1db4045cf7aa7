/* Code that runs once.
 *
 * Itanium (C++ ABI 3.3.3), shared by threads; the first byte of the guard is set when
 * the initialization is complete:
 *
 * 	if (load acquire of the guard's first byte == 0)
 * 	  if (__cxa_guard_acquire(&guard)) {
 * 	    cleanup.scope { body } cleanup eh { __cxa_guard_abort(&guard) }
 * 	    __cxa_guard_release(&guard)
 * 	  }
 *
 * Microsoft; a guard counts up with the epoch of the thread that saw the initialization complete last:
 *
 * 	if (guard > _Init_thread_epoch) {
 * 	  _Init_thread_header(&guard)
 * 	  if (guard == -1) {
 * 	    cleanup.scope { body } cleanup eh { _Init_thread_abort(&guard) }
 * 	    _Init_thread_footer(&guard)
 * 	  }
 * 	}
 *
 * Without exceptions (-fno-exceptions) nothing is aborted.
 *
 * Of a thread's own copy, or without threads (-fno-threadsafe-statics; not Microsoft, where the guards are bits of a
 * variable that the text does not tell). The first byte alone is used: of a static variable of a function, and of a
 * variable outside of functions, which what its initializer calls may refer to ([basic.start.dynamic] of the C++ standard):
 *
 * 	if (guard == 0) { body; guard = 1 }
 * 	if (guard == 0) { guard = 1; body }
 */
#include "expand/internal.h"

static const char what[] = "function of the C++ runtime";

static const LibFn guard_acquire = {"__cxa_guard_acquire", "ip", true, false, what};
static const LibFn guard_release = {"__cxa_guard_release", "vp", true, false, what};
static const LibFn guard_abort = {"__cxa_guard_abort", "vp", true, false, what};
static const LibFn init_header = {"_Init_thread_header", "vp", true, false, what};
static const LibFn init_footer = {"_Init_thread_footer", "vp", true, false, what};
static const LibFn init_abort = {"_Init_thread_abort", "vp", true, false, what};

/* The guard variable */

/* The front end's name; else that of the ABI. */
Name *expand_guard_name(Expand *x, const IrOp *global)
{
	const IrAttr *given = ir_op_attr(global, NAME_dynamic_init_guard);
	if (given && given->kind == ATTR_STRING)
		return given->name;
	return ir_guard_name(x->m, ir_symbol_name(global));
}

static void copy_attr(Expand *x, IrOp *to, const IrOp *from, NameId name)
{
	const IrAttr *a = ir_op_attr(from, name);
	if (a)
		ir_op_set_attr(x->m, to, ir_known_name(x->m, name), a);
}

static bool is_shared(const Expand *x, const IrOp *global)
{
	if (ir_op_has(global, NAME_tls_model))
		return false;
	return expand_is_microsoft(x) || !ir_module_option_is(x->m, "threadsafe_statics", false);
}

/* Other objects may have the variable, too, and their guard has the size of the ABI. */
static IrType *guard_type(Expand *x, const IrOp *global)
{
	if (!is_shared(x, global) && (expand_is_microsoft(x) || expand_is_local(global)))
		return ir_type_int(x->m, 8, true, false);
	if (x->target->machine->guard_is_size)
		return x->m->difference;
	return expand_is_microsoft(x) ? x->m->s32 : x->m->s64;
}

/* Several functions may share it: both variants of a constructor with a static variable. */
static bool require_variable(Expand *x, const IrOp *global, Name *name)
{
	IrType *type = guard_type(x, global);
	const IrOp *found = ir_symbol(name);
	if (found && found->kind == OP_GLOBAL && ir_symbol_type(found) == type)
		return true;
	if (found) {
		diag_error(x->d, found->loc,
		           "'%s' has the name of the guard variable of '%s'; expected the guard variable",
		           name->text, ir_symbol_name(global)->text);
		return false;
	}
	IrOp *guard = ir_global_create(x->m, name, type, global->loc);
	ir_op_set_attr(x->m, guard, ir_known_name(x->m, NAME_initial_value), ir_attr_int(x->m, type, 0));
	copy_attr(x, guard, global, NAME_linkage);
	copy_attr(x, guard, global, NAME_visibility);
	copy_attr(x, guard, global, NAME_dso_local);
	if (expand_is_weak(global))
		ir_set_flag(x->m, guard, NAME_comdat);
	copy_attr(x, guard, global, NAME_tls_model);
	return true;
}

/* Opening */

/* if v KIND other { the builder of the branch } */
static IrBuilder branch(IrBuilder *b, unsigned kind, IrValue *v, IrValue *other)
{
	IrOp *op = ir_build_regions(b, OP_IF, ir_build_cmp(b, kind, v, other), NULL, 2);
	return ir_in_region(b, &op->regions[0]);
}

static IrBuilder branch_int(IrBuilder *b, unsigned kind, IrValue *v, int64_t other)
{
	return branch(b, kind, v, ir_build_const_int(b, v->type, (uint64_t)other));
}

static IrValue *load_atomic(IrBuilder *b, IrValue *ptr, unsigned order)
{
	IrValue *v = ir_build_load(b, ptr);
	ir_set_enum(b->m, v->def.op, NAME_mem_order, ENUM_MEM_ORDER, order);
	return v;
}

/* cir.global external tls_model = tls_dyn @_Init_thread_epoch : !s32i */
static Name *thread_epoch(Expand *x, Loc loc)
{
	Name *name = ir_name(x->m, STR("_Init_thread_epoch"));
	const IrOp *found = ir_symbol(name);
	if (!found) {
		IrOp *op = ir_global_create(x->m, name, x->m->s32, loc);
		ir_set_enum(x->m, op, NAME_tls_model, ENUM_TLS_MODEL, TLS_MODEL_TLS_DYN);
	} else if (found->kind != OP_GLOBAL || ir_symbol_type(found) != x->m->s32 ||
	           !ir_op_has(found, NAME_tls_model)) {
		diag_error(x->d, found->loc,
		           "'_Init_thread_epoch' is a thread-local '!s32i' of the C++ runtime");
		return NULL;
	}
	return name;
}

static IrValue *first_byte(IrBuilder *b, IrValue *guard)
{
	return ir_build_bitcast(b, guard, ir_type_ptr(b->m, ir_type_int(b->m, 8, true, false)));
}

static bool open_itanium(Expand *x, IrBuilder *b, Guard *g)
{
	IrValue *first = first_byte(b, g->address), *acquired;
	g->outer = branch_int(b, CMP_EQ, load_atomic(b, first, MEM_ORDER_ACQUIRE), 0);
	if (!expand_call(x, &g->outer, &guard_acquire, &g->address, 1, &acquired))
		return false;
	g->after = branch_int(&g->outer, CMP_NE, acquired, 0);
	return true;
}

static bool open_microsoft(Expand *x, IrBuilder *b, Guard *g)
{
	Name *epoch = thread_epoch(x, b->loc);
	if (!epoch)
		return false;
	IrValue *seen = load_atomic(b, g->address, MEM_ORDER_RELAXED);
	g->outer = branch(b, CMP_GT, seen, ir_build_load(b, ir_build_get_global(b, epoch)));
	if (!expand_call(x, &g->outer, &init_header, &g->address, 1, NULL))
		return false;
	g->after = branch_int(&g->outer, CMP_EQ, load_atomic(&g->outer, g->address, MEM_ORDER_RELAXED), -1);
	return true;
}

static bool aborts(const Expand *x)
{
	return !ir_module_option_is(x->m, "exceptions", false);
}

static bool open_scope(Expand *x, Guard *g)
{
	if (!aborts(x)) {
		g->body = g->after;
		return true;
	}
	IrOp *scope = ir_build_regions(&g->after, OP_CLEANUP_SCOPE, NULL, NULL, 2);
	ir_set_enum(x->m, scope, NAME_kind, ENUM_CLEANUP, CLEANUP_EH);
	g->body = ir_in_region(&g->after, &scope->regions[0]);
	IrBuilder cleanup = ir_in_region(&g->after, &scope->regions[1]);
	const LibFn *abort = expand_is_microsoft(x) ? &init_abort : &guard_abort;
	if (!expand_call(x, &cleanup, abort, &g->address, 1, NULL))
		return false;
	ir_build_yield(&cleanup, NULL);
	return true;
}

static void mark(IrBuilder *b, IrValue *byte)
{
	ir_build_store(b, ir_build_const_int(b, byte->type->elem, 1), byte);
}

static void open_unshared(IrBuilder *b, Guard *g)
{
	g->address = first_byte(b, g->address);
	g->body = branch_int(b, CMP_EQ, ir_build_load(b, g->address), 0);
	if (g->kind == GUARD_GLOBAL)
		mark(&g->body, g->address);
	g->after = g->body;
}

bool expand_guard_open(Expand *x, IrBuilder *b, const IrOp *global, Name *name, GuardKind kind, Guard *g)
{
	*g = (Guard){.kind = kind, .shared = is_shared(x, global)};
	if (!require_variable(x, global, name))
		return false;
	g->address = ir_build_get_global(b, name);
	if (!g->shared) {
		open_unshared(b, g);
		return true;
	}
	return (expand_is_microsoft(x) ? open_microsoft(x, b, g) : open_itanium(x, b, g)) && open_scope(x, g);
}

/* Closing */

bool expand_guard_close(Expand *x, Guard *g)
{
	if (!g->shared) {
		if (g->kind == GUARD_LOCAL)
			mark(&g->after, g->address);
		ir_build_yield(&g->after, NULL);
		return true;
	}
	if (aborts(x))
		ir_build_yield(&g->body, NULL);
	const LibFn *release = expand_is_microsoft(x) ? &init_footer : &guard_release;
	if (!expand_call(x, &g->after, release, &g->address, 1, NULL))
		return false;
	ir_build_yield(&g->after, NULL);
	ir_build_yield(&g->outer, NULL);
	return true;
}
