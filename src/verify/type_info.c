/* What a catch, a filter or a throw names is a type info, as far as the module can say: how C++'s personalities read
 * other globals is undefined, mostly a crash of the unwinder. */
#include "verify/verifier.h"

/* Others may read what they want in the entries of their tables. */
static bool has_cxx_personality(const IrOp *func)
{
	const Name *name = func->kind == OP_FUNC ? ir_op_symbol(func, NAME_personality) : NULL;
	return !name || verifier_is_cxx_personality(name);
}

/* A type info begins with the address of a vtable; front ends also spell one as a record or an array.
 * NULL: the type does not say with what it begins. */
static const IrType *first_scalar(const IrType *t)
{
	while (t) {
		if (t->kind == TYPE_ARRAY)
			t = t->elem;
		else if (t->kind == TYPE_RECORD)
			t = t->complete && t->nmembers ? t->members[0] : NULL;
		else
			break;
	}
	return t;
}

/* A declaration is often that of a single byte, for its address only. */
static bool may_be_type_info(const IrOp *global)
{
	const IrAttr *init = ir_op_attr(global, NAME_initial_value);
	bool declaration = !init && !global->regions[0].first;
	const IrType *t = first_scalar(ir_symbol_type(global));
	if (!t || ir_is_ptr(t) || (init && init->kind == ATTR_TYPEINFO) || ir_op_has(global, NAME_aliasee))
		return true;
	return t->kind == TYPE_VPTR || (declaration && t->kind == TYPE_INT && t->width == 8);
}

static bool is_aggregate(const IrType *t)
{
	return t->kind == TYPE_RECORD || t->kind == TYPE_ARRAY;
}

static bool begins_with_address(const IrAttr *a)
{
	while ((a->kind == ATTR_CONST_RECORD || a->kind == ATTR_CONST_ARRAY) && a->n && a->elems[0])
		a = a->elems[0];
	return a->kind != ATTR_ZERO && a->kind != ATTR_PTR;
}

static bool holds_its_words(const IrOp *global)
{
	const IrAttr *init = ir_op_attr(global, NAME_initial_value);
	return !init || init->kind == ATTR_TYPEINFO || global->regions[0].first ||
	       ir_op_has(global, NAME_aliasee) || is_aggregate(ir_symbol_type(global));
}

static bool has_table(const IrOp *global)
{
	const IrAttr *init = ir_op_attr(global, NAME_initial_value);
	return !init || global->regions[0].first || begins_with_address(init);
}

/* The address of a virtual table, then that of a name. NULL: it may be one; else what is missing. */
static const char *missing_in(Verifier *v, const IrOp *global)
{
	const char *type = verifier_type(v, ir_symbol_type(global));
	if (!may_be_type_info(global))
		return arena_printf(v->arena, "its type '%s' does not begin with a pointer", type);
	if (!holds_its_words(global))
		return arena_printf(v->arena, "its type '%s' is a single pointer", type);
	return has_table(global) ? NULL : "it begins with a null pointer";
}

bool verifier_check_type_info(Verifier *v, const IrOp *op, const Name *name)
{
	const IrOp *symbol = ir_symbol(name);
	bool global = symbol && symbol->kind == OP_GLOBAL, func = symbol && symbol->kind == OP_FUNC;
	if (verifier_is_circ(v))
		return verifier_check_circ_type(v, op, name);
	if (symbol && symbol->kind == OP_EXCEPTION_TYPE) /* eh/exception_type.c makes a type info of it */
		return true;
	const char *missing = global ? missing_in(v, symbol) : NULL;
	if ((!missing && !func) || !has_cxx_personality(v->symbol))
		return true;
	if (func)
		verifier_error(v, op, ": '@%s' is a function; name a global that is a type info", name->text);
	else
		verifier_error(v, op,
		               ": '@%s' is not a type info, since %s; name a global that is initialized with "
		               "'#cir.typeinfo'",
		               name->text, missing);
	verifier_note(v, symbol->loc, "'@%s' is here", name->text);
	return false;
}
