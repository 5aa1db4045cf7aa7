/* Thread-local globals that are initialized at run time, as Visual C++ 2019 16.5 and later have it
 * (/Zc:tlsGuards), and clang for it: the loader runs the functions in section .CRT$XD for each new thread.
 * One that began before the module was loaded has not run them, and does so at its first use:
 *
 * 	if (__tls_guard == 0) __dyn_tls_on_demand_init()
 * 	cir.get_global thread_local @g
 *
 * 	cir.func internal @__tls_init() { call @__cxx_global_var_init; … }
 * 	cir.global internal constant @"__tls_init$initializer$" = #cir.global_view<@__tls_init> {section = ".CRT$XDU"}
 * 	cir.linker_options = ["/include:__dyn_tls_init"]      what walks the section
 *
 * Globals that several objects may define stand in the same array, behind a guard (global.c). There are no wrappers: what
 * names those is dropped, or the next one who reads the text would look before each use again.
 */
#include "expand/internal.h"

static const char what[] = "function of the C++ runtime";
static const LibFn on_demand_init = {"__dyn_tls_on_demand_init", "v", true, false, what};

/* cir.global external tls_model = tls_dyn @__tls_guard : !u8i */
static Name *runtime_guard(Expand *x, Loc loc)
{
	Name *name = ir_name(x->m, STR("__tls_guard"));
	const IrOp *found = ir_symbol(name);
	if (!found) {
		IrOp *op = ir_global_create(x->m, name, x->m->u8, loc);
		ir_set_enum(x->m, op, NAME_tls_model, ENUM_TLS_MODEL, TLS_MODEL_TLS_DYN);
	} else if (found->kind != OP_GLOBAL || ir_symbol_type(found) != x->m->u8 ||
	           !ir_op_has(found, NAME_tls_model)) {
		diag_error(x->d, found->loc, "'__tls_guard' is a thread-local '!u8i' of the C++ runtime");
		return NULL;
	}
	return name;
}

/* Of a definition without code nothing is to be done. */
bool expand_tls_check(Expand *x, IrOp *op, const IrOp *global)
{
	if (ir_op_has(global, NAME_initial_value) && !global->regions[0].first && !global->regions[1].first)
		return true;
	Name *guard = runtime_guard(x, global->loc);
	if (!guard)
		return false;
	IrBuilder b = ir_before(x->m, op);
	IrValue *address = ir_build_get_global(&b, guard);
	IrValue *done = ir_build_load(&b, address), *zero = ir_build_const_int(&b, x->m->u8, 0);
	IrOp *branch = ir_build_regions(&b, OP_IF, ir_build_cmp(&b, CMP_EQ, done, zero), NULL, 2);
	IrBuilder in = ir_in_region(&b, &branch->regions[0]);
	if (!expand_call(x, &in, &on_demand_init, NULL, 0, NULL))
		return false;
	ir_build_yield(&in, NULL);
	return true;
}

/* Nothing in the program refers to an entry of the array: llvm.used keeps it. */
static void keep(Expand *x, const IrOp *entry)
{
	Name *name = ir_name(x->m, STR("llvm.used"));
	IrOp *list = ir_symbol(name);
	const IrAttr *old = list ? ir_op_attr(list, NAME_initial_value) : NULL;
	uint32_t n = old ? old->n : 0;
	const IrAttr **elems = arena_array(x->mem, const IrAttr *, n + 1);
	for (uint32_t i = 0; i < n; i++)
		elems[i] = old->elems[i];
	IrType *elem = old ? old->type->elem : x->m->voidp;
	elems[n] = ir_attr_global_view(x->m, elem, ir_symbol_name(entry), NULL, 0);
	IrType *type = ir_type_array(x->m, elem, n + 1);
	if (!list) {
		list = ir_global_create(x->m, name, type, entry->loc);
		ir_set_enum(x->m, list, NAME_linkage, ENUM_LINKAGE, LINKAGE_APPENDING);
		ir_op_set_attr(x->m, list, ir_known_name(x->m, NAME_section),
		               ir_attr_string(x->m, STR("llvm.metadata")));
	}
	ir_op_set_attr(x->m, list, ir_known_name(x->m, NAME_sym_type), ir_attr_type(x->m, type));
	ir_op_set_attr(
	    x->m, list, ir_known_name(x->m, NAME_initial_value),
	    ir_attr_intern(x->m,
	                   &(IrAttr){.kind = ATTR_CONST_ARRAY, .type = type, .elems = elems, .n = n + 1}));
}

static void add_linker_option(Expand *x, const char *option)
{
	Name *key = ir_known_name(x->m, NAME_cir_linker_options);
	const IrAttr *old = ir_module_attr(x->m, NAME_cir_linker_options);
	uint32_t n = old ? old->n : 0;
	const IrAttr **elems = arena_array(x->mem, const IrAttr *, n + 1);
	for (uint32_t i = 0; i < n; i++)
		elems[i] = old->elems[i];
	elems[n] = ir_attr_string(x->m, str_of(option));
	ir_module_set_attr(x->m, key, ir_attr_array(x->m, elems, n + 1));
}

void expand_tls_array(Expand *x)
{
	Loc loc = x->tls_inits.data[0]->loc;
	IrBuilder b;
	IrOp *func = expand_function(x, "__tls_init", loc, &b);
	for (uint32_t i = 0; i < x->tls_inits.len; i++)
		ir_build_call(&b, ir_symbol_name(x->tls_inits.data[i]), NULL, NULL, 0);
	expand_return(&b);

	IrType *pointer = ir_type_ptr(x->m, ir_func_type(func));
	IrOp *entry =
	    ir_global_create(x->m, ir_free_name(x->m, STR("__tls_init$initializer$")), pointer, loc);
	ir_set_enum(x->m, entry, NAME_linkage, ENUM_LINKAGE, LINKAGE_INTERNAL);
	ir_set_flag(x->m, entry, NAME_constant);
	ir_op_set_attr(x->m, entry, ir_known_name(x->m, NAME_section), ir_attr_string(x->m, STR(".CRT$XDU")));
	ir_op_set_attr(x->m, entry, ir_known_name(x->m, NAME_initial_value),
	               ir_attr_global_view(x->m, pointer, ir_symbol_name(func), NULL, 0));
	add_linker_option(x, "/include:__dyn_tls_init");
	keep(x, entry);
}
