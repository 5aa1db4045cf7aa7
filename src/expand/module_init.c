/* Initializers of C++20 named modules (Itanium C++ ABI, "Module initializers").
 *
 * 	module attributes {cir.cxx_module_init_fn_name = "_ZGIW1b", cir.cxx_module_imported_inits = ["_ZGIW1a"]}
 *
 * asks for a function that others may call, before or behind the start of the program, and that works once:
 *
 * 	cir.global internal @_ZGIW1b__in_chrg = #cir.int<0> : !s8i
 * 	cir.func @_ZGIW1b() global_ctor { if (in_chrg == 0) { in_chrg = 1; call @_ZGIW1a; call @__cxx_global_var_init; … } }
 *
 * It is empty when there is nothing to call. A unit that only imports calls the other modules before its own
 * first initializer. Text in which this has been done declares the functions.
 */
#include "expand/internal.h"

static bool is_string(const IrAttr *a)
{
	return a->kind == ATTR_STRING && a->name->len && !memchr(a->name->text, 0, a->name->len);
}

static bool is_string_list(const IrAttr *a)
{
	if (a->kind != ATTR_ARRAY)
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (!is_string(a->elems[i]))
			return false;
	return true;
}

static bool must_be(Expand *x, NameId attr, const char *what)
{
	diag_error(x->d, x->m->attrs_loc, "attribute '%s' of the module must be %s",
	           ir_known_name(x->m, attr)->text, what);
	return false;
}

static IrOp *declare(Expand *x, Name *name)
{
	IrType *type = ir_type_func(x->m, NULL, 0, ir_type_simple(x->m, TYPE_VOID), false);
	return ir_func_create(x->m, name, type, (Loc){0});
}

static bool is_taken(Expand *x, const Name *name)
{
	const IrOp *found = ir_symbol(name);
	if (!found || found->kind == OP_FUNC)
		return false;
	diag_error(x->d, found->loc, "'%s' has the name of the initializer of a module; expected a function",
	           name->text);
	return true;
}

bool expand_imports(Expand *x)
{
	const IrAttr *list = ir_module_attr(x->m, NAME_cxx_module_imported_inits);
	if (list && !is_string_list(list))
		return must_be(x, NAME_cxx_module_imported_inits, "an array of names");
	for (uint32_t i = 0; list && i < list->n; i++) {
		Name *name = list->elems[i]->name;
		if (is_taken(x, name))
			return false;
		if (!ir_symbol(name))
			vec_push(x->mem, &x->imports, declare(x, name));
	}
	return true;
}

bool expand_module_init_name(Expand *x, Name **out)
{
	const IrAttr *name = ir_module_attr(x->m, NAME_cxx_module_init_fn_name);
	*out = NULL;
	if (!name)
		return true;
	if (!is_string(name))
		return must_be(x, NAME_cxx_module_init_fn_name, "a name");
	if (is_taken(x, name->name))
		return false;
	if (!ir_symbol(name->name))
		*out = name->name;
	return true;
}

/* if (NAME__in_chrg == 0) { NAME__in_chrg = 1; the builder of the branch } */
static IrBuilder open_once(Expand *x, IrBuilder *b, const Name *name)
{
	IrType *byte = ir_type_int(x->m, 8, true, false);
	const char *stem = arena_printf(x->mem, "%s__in_chrg", name->text);
	IrOp *guard = ir_global_create(x->m, ir_free_name(x->m, str_of(stem)), byte, (Loc){0});
	ir_op_set_attr(x->m, guard, ir_known_name(x->m, NAME_initial_value), ir_attr_int(x->m, byte, 0));
	ir_set_enum(x->m, guard, NAME_linkage, ENUM_LINKAGE, LINKAGE_INTERNAL);
	IrValue *address = ir_build_get_global(b, ir_symbol_name(guard));
	IrValue *zero = ir_build_const_int(b, byte, 0);
	IrOp *first =
	    ir_build_regions(b, OP_IF, ir_build_cmp(b, CMP_EQ, ir_build_load(b, address), zero), NULL, 2);
	IrBuilder in = ir_in_region(b, &first->regions[0]);
	ir_build_store(&in, ir_build_const_int(&in, byte, 1), address);
	return in;
}

IrOp *expand_module_init(Expand *x, Name *name)
{
	IrOp *func = declare(x, name);
	IrBuilder b = ir_at_end(x->m, ir_func_add_entry(x->m, func), (Loc){0});
	if (x->imports.len || x->inits.len) {
		IrBuilder in = open_once(x, &b, name);
		expand_call_imports(x, &in);
		for (uint32_t i = 0; i < x->inits.len; i++)
			expand_call_init(x, &in, x->inits.data[i].func);
		ir_build_yield(&in, NULL);
	}
	expand_return(&b);
	return func;
}
