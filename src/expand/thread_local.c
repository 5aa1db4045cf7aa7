/* Thread-local globals that are initialized or destroyed at run time, and such of other objects (Itanium C++
 * ABI 2.8, "thread wrapper" and "thread initialization" functions).
 *
 * 	cir.global external tls_model = tls_dyn tls_refs = <"_ZTW1g", "_ZTH1g"> @g = ctor : T { C }
 *
 * is used through its wrapper, by everything but C:
 *
 * 	cir.func weak_odr hidden comdat @_ZTW1g() -> !cir.ptr<T> { call @_ZTH1g; return &g }
 * 	cir.func @_ZTH1g() alias(@__tls_init)
 * 	cir.func internal @__tls_init() { if (__tls_guard == 0) { __tls_guard = 1; call @__cxx_global_var_init; … } }
 *
 * One with a guard of its own (an instantiation of a template) has its own init function behind the alias.
 * Of a global that is only declared, the init function may be missing: nothing is to be done there then.
 * The Microsoft ABI: thread_local_ms.c.
 */
#include "expand/internal.h"

typedef struct Refs {
	Name *wrapper, *init;
} Refs;

static Refs refs_of(const IrOp *global)
{
	const IrAttr *a = ir_op_attr(global, NAME_tls_refs);
	return (Refs){a->elems[TLS_WRAPPER_INIT_WRAPPER]->name, a->elems[TLS_WRAPPER_INIT_INIT]->name};
}

static bool is_definition(const IrOp *global)
{
	return ir_op_has(global, NAME_initial_value);
}

static IrType *init_type(Expand *x)
{
	return ir_type_func(x->m, NULL, 0, ir_type_simple(x->m, TYPE_VOID), false);
}

/* Wrappers */

/* cir.func comdat weak_odr hidden @_ZTW1g() -> !cir.ptr<T>, still without a body */
static IrOp *declare_wrapper(Expand *x, IrOp *global)
{
	IrType *result = ir_type_ptr(x->m, ir_symbol_type(global));
	IrOp *func = ir_func_create(x->m, refs_of(global).wrapper, ir_type_func(x->m, NULL, 0, result, false),
	                            global->loc);
	ir_set_enum(x->m, func, NAME_linkage, ENUM_LINKAGE,
	            expand_is_local(global) ? LINKAGE_INTERNAL : LINKAGE_WEAK_ODR);
	if (!expand_is_local(global)) {
		ir_set_enum(x->m, func, NAME_visibility, ENUM_VISIBILITY, VISIBILITY_HIDDEN);
		ir_set_flag(x->m, func, NAME_comdat);
	}
	ptrmap_put(x->mem, &x->wrappers, global, func);
	vec_push(x->mem, &x->wrapped, global);
	return func;
}

/* NULL: the module has the wrapper already, and so is expanded as far as this global is concerned. */
static IrOp *wrapper_of(Expand *x, IrOp *global)
{
	IrOp *func = ptrmap_get(&x->wrappers, global);
	return func || ir_symbol(refs_of(global).wrapper) ? func : declare_wrapper(x, global);
}

static const IrOp *top_level(const IrOp *op)
{
	for (const IrOp *up; (up = ir_op_parent(op));)
		op = up;
	return op;
}

/* Uses */

static bool use_wrapper(Expand *x, IrOp *op, IrOp *global)
{
	IrOp *wrapper = wrapper_of(x, global);
	if (!wrapper)
		return true;
	IrBuilder b = ir_before(x->m, op);
	IrOp *call = ir_build_call(&b, ir_symbol_name(wrapper), ir_func_type(wrapper)->elem, NULL, 0);
	ir_value_replace(&op->results[0], ir_build_bitcast(&b, &call->results[0], op->results[0].type));
	ir_op_erase(op);
	return true;
}

/* Apple's wrappers keep more registers than other functions (cxx_fast_tlscc), which nothing here can write. */
static bool check_wrapper(Expand *x, const IrOp *global)
{
	if (x->target->object != ABI_OBJECT_MACHO)
		return true;
	diag_error(x->d, global->loc,
	           "'cir.global' op: thread-local variables with a wrapper function are not available on "
	           "target '%s'; remove 'tls_refs' from one that C has, too",
	           x->target->name);
	return false;
}

bool expand_thread_local_use(Expand *x, IrOp *op)
{
	IrOp *global = ir_symbol(ir_op_symbol(op, NAME_symbol));
	if (!check_wrapper(x, global))
		return false;
	if (top_level(op) == global)
		return true;
	return expand_is_microsoft(x) ? expand_tls_check(x, op, global) : use_wrapper(x, op, global);
}

bool expand_thread_local(Expand *x, IrOp *global, IrOp *init)
{
	const IrAttr *refs = ir_op_attr(global, NAME_tls_refs);
	bool definition = is_definition(global);
	if (refs && !check_wrapper(x, global))
		return false;
	if (refs && definition && !expand_is_microsoft(x) && !wrapper_of(x, global) && init) {
		diag_error(x->d, global->loc,
		           "'cir.global' op needs a dynamic initialization, but its wrapper '%s' is already "
		           "in the module",
		           refs_of(global).wrapper->text);
		return false;
	}
	if (refs && expand_is_microsoft(x))
		vec_push(x->mem, &x->wrapped, global);
	if (!init)
		return true;
	if (refs)
		ptrmap_put(x->mem, &x->tls_init_of, global, init);
	if (expand_is_microsoft(x) || !refs || !refs->elems[TLS_WRAPPER_INIT_GUARD])
		vec_push(x->mem, &x->tls_inits, init);
	return true;
}

/* Init functions */

/* That of variables which the source does not have (-ftls-model). */
static unsigned default_model(const IrModule *m)
{
	const IrAttr *a = ir_module_attr(m, NAME_default_tls_model);
	return a && a->kind == ATTR_ENUM && a->enum_class == ENUM_TLS_MODEL ? (unsigned)a->bits
	                                                                    : TLS_MODEL_TLS_DYN;
}

/* cir.global "private" internal tls_model = tls_dyn @__tls_guard = #cir.int<0> : !s8i */
static IrOp *make_guard(Expand *x, Loc loc)
{
	IrType *byte = ir_type_int(x->m, 8, true, false);
	IrOp *guard = ir_global_create(x->m, ir_free_name(x->m, STR("__tls_guard")), byte, loc);
	ir_op_set_attr(x->m, guard, ir_known_name(x->m, NAME_initial_value), ir_attr_int(x->m, byte, 0));
	ir_set_enum(x->m, guard, NAME_linkage, ENUM_LINKAGE, LINKAGE_INTERNAL);
	ir_set_enum(x->m, guard, NAME_tls_model, ENUM_TLS_MODEL, default_model(x->m));
	return guard;
}

/* The guard is set first: an initializer may use a variable that is initialized later. */
static IrOp *make_tls_init(Expand *x)
{
	Loc loc = x->tls_inits.data[0]->loc;
	IrBuilder b;
	IrOp *func = expand_function(x, "__tls_init", loc, &b), *guard = make_guard(x, loc);
	IrValue *address = ir_build_get_global(&b, ir_symbol_name(guard));
	IrValue *zero = ir_build_const_int(&b, ir_symbol_type(guard), 0);
	IrOp *first =
	    ir_build_regions(&b, OP_IF, ir_build_cmp(&b, CMP_EQ, ir_build_load(&b, address), zero), NULL, 2);
	IrBuilder in = ir_in_region(&b, &first->regions[0]);
	ir_build_store(&in, ir_build_const_int(&in, ir_symbol_type(guard), 1), address);
	for (uint32_t i = 0; i < x->tls_inits.len; i++)
		ir_build_call(&in, ir_symbol_name(x->tls_inits.data[i]), NULL, NULL, 0);
	ir_build_yield(&in, NULL);
	expand_return(&b);
	return func;
}

static bool check_init_name(Expand *x, const IrOp *global)
{
	const IrOp *found = ir_symbol(refs_of(global).init);
	if (!found)
		return true;
	diag_error(x->d, found->loc,
	           "'%s' has the name of the init function of '%s'; expected no other symbol of that name",
	           refs_of(global).init->text, ir_symbol_name(global)->text);
	return false;
}

static void copy_enum(Expand *x, IrOp *to, const IrOp *from, NameId name)
{
	const IrAttr *a = ir_op_attr(from, name);
	if (a)
		ir_op_set_attr(x->m, to, ir_known_name(x->m, name), a);
}

/* cir.func @_ZTH1g() alias(@__tls_init): as visible as the global */
static IrOp *make_init_alias(Expand *x, const IrOp *global, const IrOp *target)
{
	IrOp *func = ir_func_create(x->m, refs_of(global).init, init_type(x), global->loc);
	ir_op_set_attr(x->m, func, ir_known_name(x->m, NAME_aliasee),
	               ir_attr_symbol(x->m, ir_symbol_name(target)));
	if (ir_op_enum(global, NAME_linkage, LINKAGE_EXTERNAL) != LINKAGE_EXTERNAL)
		copy_enum(x, func, global, NAME_linkage);
	copy_enum(x, func, global, NAME_visibility);
	return func;
}

/* if (&_ZTH1g) _ZTH1g() */
static void call_if_there(Expand *x, IrBuilder *b, const IrOp *global)
{
	IrOp *init = ir_func_create(x->m, refs_of(global).init, init_type(x), global->loc);
	ir_set_enum(x->m, init, NAME_linkage, ENUM_LINKAGE, LINKAGE_EXTERN_WEAK);
	IrValue *there = ir_build_cast(b, CAST_PTR_TO_BOOL, ir_build_get_global(b, ir_symbol_name(init)),
	                               ir_type_simple(x->m, TYPE_BOOL));
	IrOp *branch = ir_build_regions(b, OP_IF, there, NULL, 2);
	IrBuilder in = ir_in_region(b, &branch->regions[0]);
	ir_build_call(&in, ir_symbol_name(init), NULL, NULL, 0);
	ir_build_yield(&in, NULL);
}

static bool fill_wrapper(Expand *x, IrOp *global)
{
	IrOp *wrapper = ptrmap_get(&x->wrappers, global);
	const IrOp *init = ptrmap_get(&x->tls_init_of, global);
	const IrAttr *refs = ir_op_attr(global, NAME_tls_refs);
	IrBuilder b = ir_at_end(x->m, ir_func_add_entry(x->m, wrapper), global->loc);
	if ((init || !is_definition(global)) && !check_init_name(x, global))
		return false;
	if (init) {
		if (!refs->elems[TLS_WRAPPER_INIT_GUARD])
			init = x->tls_init;
		IrOp *alias = make_init_alias(x, global, init);
		ir_build_call(&b, ir_symbol_name(alias), NULL, NULL, 0);
	} else if (!is_definition(global)) {
		call_if_there(x, &b, global);
	}
	IrValue *address = ir_build_get_global(&b, ir_symbol_name(global));
	ir_build(&b, OP_RETURN, NULL, &address, 1);
	return true;
}

bool expand_finish_thread_locals(Expand *x)
{
	if (x->tls_inits.len && expand_is_microsoft(x))
		expand_tls_array(x);
	else if (x->tls_inits.len)
		x->tls_init = make_tls_init(x);
	for (uint32_t i = 0; i < x->wrapped.len; i++) {
		IrOp *global = x->wrapped.data[i];
		if (expand_is_microsoft(x))
			ir_op_set_attr(x->m, global, ir_known_name(x->m, NAME_tls_refs), NULL);
		else if (!fill_wrapper(x, global))
			return false;
	}
	return true;
}
