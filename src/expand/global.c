/* Dynamic initialisation and destruction of globals (cir-reference 4.3).
 *
 * 	cir.global external @g = ctor : T { C } dtor { D }
 *
 * becomes
 *
 * 	cir.global external @g = #cir.zero : T
 * 	cir.func internal @__cxx_global_var_init() { C; at_exit(D) }
 * 	cir.func internal @_GLOBAL__sub_I_<file>() global_ctor { call @__cxx_global_var_init; …}
 *
 * Variables with an init_priority run from `_GLOBAL__I_<priority>` before. In a C++20 module all run from its
 * initializer. A variable that several objects may define is initialized by the first that gets there.
 */
#include "expand/internal.h"

#include <stdlib.h>

enum { PRIORITY_DEFAULT = 65535 };

/* One global */

static bool build_init(Expand *x, IrBuilder *b, IrOp *global)
{
	if (global->regions[0].first)
		expand_move(b, &global->regions[0]);
	return !global->regions[1].first || expand_at_exit(x, b, global, &global->regions[1]);
}

/* Where the guard's name comes from for a thread-local one: NULL, if it is initialized with all others. */
static Name *tls_guard_name(Expand *x, const IrOp *global)
{
	const IrAttr *refs = ir_op_attr(global, NAME_tls_refs);
	const IrAttr *guard = refs ? refs->elems[TLS_WRAPPER_INIT_GUARD] : NULL;
	if (guard)
		return guard->name;
	return expand_is_weak(global) ? expand_guard_name(x, global) : NULL;
}

static bool build_guarded(Expand *x, IrBuilder *b, IrOp *global)
{
	bool thread = ir_op_has(global, NAME_tls_model);
	Name *name = thread ? tls_guard_name(x, global) : NULL;
	if (!thread && expand_is_weak(global))
		name = expand_guard_name(x, global);
	if (!name)
		return build_init(x, b, global);
	Guard g;
	return expand_guard_open(x, b, global, name, GUARD_GLOBAL, &g) && build_init(x, &g.body, global) &&
	       expand_guard_close(x, &g);
}

static void set_startup_section(Expand *x, IrOp *func)
{
	const char *section = x->target->startup_section;
	if (section)
		ir_op_set_attr(x->m, func, ir_known_name(x->m, NAME_section),
		               ir_attr_string(x->m, str_of(section)));
}

/* It is written at run time. A common symbol is defined as zeros anyway, and not a null pointer to a member. */
static void set_mutable(Expand *x, IrOp *global)
{
	bool common = ir_op_enum(global, NAME_linkage, LINKAGE_EXTERNAL) == LINKAGE_COMMON;
	if (!ir_op_has(global, NAME_initial_value) && !common)
		ir_op_set_attr(x->m, global, ir_known_name(x->m, NAME_initial_value),
		               ir_attr_zero_of(x->m, ir_symbol_type(global)));
	ir_op_set_attr(x->m, global, ir_known_name(x->m, NAME_constant), NULL);
}

bool expand_global(Expand *x, IrOp *global)
{
	bool thread = ir_op_has(global, NAME_tls_model);
	IrBuilder b;
	if (!global->regions[0].first && !global->regions[1].first)
		return !thread || expand_thread_local(x, global, NULL);
	set_mutable(x, global);
	IrOp *func = expand_function(x, "__cxx_global_var_init", global->loc, &b);
	if (ir_op_has(global, NAME_strictfp))
		ir_op_set_attr(x->m, func, ir_known_name(x->m, NAME_strictfp), ir_attr_unit(x->m));
	if (!build_guarded(x, &b, global))
		return false;
	expand_return(&b);
	if (thread)
		return expand_thread_local(x, global, func);
	set_startup_section(x, func);
	Init init = {func, ir_op_uint(global, NAME_init_priority, PRIORITY_DEFAULT), x->inits.len};
	vec_push(x->mem, &x->inits, init);
	return true;
}

/* All of them */

static int compare_inits(const void *a, const void *b)
{
	const Init *x = a, *y = b;
	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* The name of the module's file, as clang writes it: what can be in a number of the preprocessor stays. */
static const char *file_part(Expand *x)
{
	Str path = x->m->name          ? name_str(x->m->name)
	           : x->m->source.name ? str_of(x->m->source.name)
	                               : STR("module");
	size_t from = path.len;
	while (from && path.data[from - 1] != '/' && path.data[from - 1] != '\\')
		from--;
	char *text = arena_copy(x->mem, path.data + from, path.len - from);
	for (char *c = text; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.", *c))
			*c = '_';
	return text;
}

static void run_at_start(Expand *x, IrOp *func, uint64_t priority)
{
	set_startup_section(x, func);
	ir_op_set_attr(x->m, func, ir_known_name(x->m, NAME_global_ctor),
	               ir_attr_i64(x->m, (int64_t)priority));
}

/* Calls inits[0 … n), all of one priority, and before the first of all what is imported. */
static void build_caller(Expand *x, uint64_t priority, const Init *inits, uint32_t n, bool first)
{
	const char *stem = priority == PRIORITY_DEFAULT
	                       ? arena_printf(x->mem, "_GLOBAL__sub_I_%s", file_part(x))
	                       : arena_printf(x->mem, "_GLOBAL__I_%06u", (unsigned)priority);
	IrBuilder b;
	IrOp *func = expand_function(x, stem, (Loc){0}, &b);
	if (first)
		expand_call_imports(x, &b);
	for (uint32_t i = 0; i < n; i++)
		expand_call_init(x, &b, inits[i].func);
	expand_return(&b);
	run_at_start(x, func, priority);
}

static void build_callers(Expand *x)
{
	if (!x->inits.len && x->imports.len)
		build_caller(x, PRIORITY_DEFAULT, NULL, 0, true);
	for (uint32_t i = 0, n; i < x->inits.len; i += n) {
		for (n = 1; i + n < x->inits.len; n++)
			if (x->inits.data[i + n].priority != x->inits.data[i].priority)
				break;
		build_caller(x, x->inits.data[i].priority, x->inits.data + i, n, i == 0);
	}
}

bool expand_finish_globals(Expand *x)
{
	Name *name;
	if (!expand_imports(x) || !expand_module_init_name(x, &name))
		return false;
	if (x->inits.len)
		qsort(x->inits.data, x->inits.len, sizeof(Init), compare_inits);
	if (name)
		run_at_start(x, expand_module_init(x, name), PRIORITY_DEFAULT);
	else
		build_callers(x);
	return true;
}
