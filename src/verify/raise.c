/* The attribute `circ.raise` of the module: the functions that checks call which fail (docs/checks.md). */
#include "base/suggest.h"
#include "verify/verifier.h"

static void report_kind(Verifier *v, const Name *key)
{
	Suggestion s = suggest_begin(name_str(key));
	for (const char *const *word = ir_enum_info[ENUM_CHECK].words; *word; word++)
		suggest_try(&s, str_of(*word));
	const char *meant =
	    s.best.len ? arena_printf(v->arena, "; did you mean '%.*s'?", (int)s.best.len, s.best.data) : "";
	diag_error(v->d, v->m->attrs_loc, "attribute 'circ.raise' of the module: unknown check '%s'%s",
	           key->text, meant);
}

static bool takes_nothing(const IrOp *func)
{
	const IrType *type = ir_func_type(func);
	return type->kind == TYPE_FUNC && !type->nmembers && !type->variadic && type->elem->kind == TYPE_VOID;
}

static void check_function(Verifier *v, const Name *key, const IrAttr *value)
{
	const IrOp *func = value->kind == ATTR_SYMBOL ? verifier_func(value->name) : NULL;
	if (value->kind != ATTR_SYMBOL) {
		diag_error(v->d, v->m->attrs_loc,
		           "attribute 'circ.raise' of the module: '%s' must be a function, as in '%s = @f'",
		           key->text, key->text);
	} else if (!func) {
		diag_error(v->d, v->m->attrs_loc,
		           "attribute 'circ.raise' of the module: the module has no function '@%s'%s",
		           value->name->text, verifier_similar_symbol(v, value->name, OP_FUNC));
	} else if (!takes_nothing(func)) {
		diag_error(
		    v->d, v->m->attrs_loc,
		    "attribute 'circ.raise' of the module: '@%s' must have type '!cir.func<()>'; found '%s'",
		    value->name->text, verifier_type(v, ir_func_type(func)));
		diag_note(v->d, func->loc, "'@%s' is here", value->name->text);
	}
}

void verifier_check_raise(Verifier *v)
{
	const IrAttr *all = ir_module_attr(v->m, NAME_circ_raise);
	if (all && all->kind != ATTR_DICT) {
		diag_error(v->d, v->m->attrs_loc,
		           "attribute 'circ.raise' of the module must be a dictionary, as in '{null = @f}'");
		return;
	}
	for (uint32_t i = 0; all && i < all->n; i++) {
		if (ir_enum_find(ENUM_CHECK, name_str(all->keys[i])) < 0)
			report_kind(v, all->keys[i]);
		else
			check_function(v, all->keys[i], all->elems[i]);
	}
}
