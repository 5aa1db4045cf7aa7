#include "api/api.h"
#include "ir/constraint.h"

/* A name that no symbol has; NULL after an error. */
static Name *free_name(ApiCall *c, const char *name)
{
	if (!api_given(c, name, "name"))
		return NULL;
	Name *n = *name ? ir_name(c->m, str_of(name)) : NULL;
	if (!n)
		api_error(c, "'name' is empty");
	else if (n->symbol)
		api_error(c, "redefinition of symbol named '%s'", name);
	return n && !n->symbol ? n : NULL;
}

const char *api_free_name(const char *function, CircModule *m, const char *stem)
{
	ApiCall c;
	if (!api_begin(&c, m, function))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	const char *name = ir_free_name(m, str_of(stem))->text;
	api_end(&c);
	return name;
}

static bool check_func_type(ApiCall *c, const IrType *type)
{
	return api_type(c, type, "type") &&
	       (type->kind == TYPE_FUNC ||
	        api_error(c, "'type' is %s; expected a function type", api_type_str(c, type)));
}

CircOp *circ_func_create(CircModule *m, const char *name, CircType *type)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	Name *n = check_func_type(&c, type) ? free_name(&c, name) : NULL;
	IrOp *op = n ? ir_func_create(m, n, type, (Loc){0}) : NULL;
	api_end(&c);
	return op;
}

static IrOp *declare(ApiCall *c, const char *name, IrType *type)
{
	if (!*name) {
		api_error(c, "'name' is empty");
		return NULL;
	}
	const IrOp *found = ir_symbol(ir_name(c->m, str_of(name)));
	if (found && found->kind != OP_FUNC) {
		api_error(c, found->kind == OP_GLOBAL ? "'%s' is a global" : "'%s' is an exception type",
		          name);
		return NULL;
	}
	if (found && ir_func_type(found) != type) {
		api_error(c, "'%s' is %s, not %s", name, api_type_str(c, ir_func_type(found)),
		          api_type_str(c, type));
		return NULL;
	}
	return ir_func_declare(c->m, str_of(name), type);
}

CircOp *circ_func_declare(CircModule *m, const char *name, CircType *type)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	bool ok = api_given(&c, name, "name") && check_func_type(&c, type);
	IrOp *op = ok ? declare(&c, name, type) : NULL;
	api_end(&c);
	return op;
}

CircBlock *circ_func_add_entry(CircModule *m, CircOp *func)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	bool ok = api_symbol(&c, func, OP_FUNC, "func");
	if (ok && !ir_func_is_declaration(func))
		ok = api_error(&c, "'%s' already has a body", ir_symbol_name(func)->text);
	IrBlock *b = ok ? api_hand_out(m, ir_func_add_entry(m, func)) : NULL;
	if (b) /* what circ_func_declare() gave to a declaration */
		ir_op_set_attr(m, func, ir_known_name(m, NAME_sym_visibility), NULL);
	api_end(&c);
	return b;
}

bool circ_func_set_personality(CircModule *m, CircOp *func, const char *personality)
{
	const IrAttr *symbol = api_make_symbol(__func__, m, personality);
	return symbol && circ_op_set_attr(m, func, "personality", symbol);
}

/* Globals */

static bool check_initializer(ApiCall *c, const IrType *type, const IrAttr *value)
{
	if (!value)
		return true;
	if (!api_attr(c, value, "value"))
		return false;
	return value->type == type ||
	       api_error(c, "'value' has type %s; expected %s",
	                 value->type ? api_type_str(c, value->type) : "missing", api_type_str(c, type));
}

static IrOp *make_global(IrModule *m, Name *name, IrType *type, const IrAttr *linkage, const IrAttr *value)
{
	IrNamedAttr attrs[] = {
	    {ir_known_name(m, NAME_sym_name), ir_attr_symbol(m, name)},
	    {ir_known_name(m, NAME_sym_type), ir_attr_type(m, type)},
	    {ir_known_name(m, NAME_linkage), linkage},
	    {ir_known_name(m, NAME_initial_value), value},
	};
	IrOpSpec spec = {.kind = OP_GLOBAL, .nregions = 2, .attrs = attrs, .nattrs = value ? 4 : 3};
	IrOp *op = ir_op_create(m, &spec);
	CHECK(ir_symbol_define(op));
	ir_op_append(ir_module_block(m), op);
	return op;
}

CircOp *circ_global_create(CircModule *m, const char *name, CircType *type, const char *linkage,
                           const CircAttr *value)
{
	ApiCall c;
	const IrAttr *linkage_attr = api_make_enum(__func__, m, "linkage", linkage);
	if (!linkage_attr || !api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	bool ok = api_value_type(&c, type, "type") && check_initializer(&c, type, value);
	Name *n = ok ? free_name(&c, name) : NULL;
	IrOp *op = n ? make_global(m, n, type, linkage_attr, value) : NULL;
	api_end(&c);
	return op;
}

/* Exception types */

static bool check_bases(ApiCall *c, CircOp *const *bases, size_t n)
{
	if (!api_count(c, n, bases, "bases"))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!api_op(c, bases[i], "bases"))
			return false;
		if (bases[i]->kind != OP_EXCEPTION_TYPE)
			return api_error(c, "'bases' has a '%s'; expected exception types",
			                 op_info[bases[i]->kind].name);
	}
	return true;
}

static const IrAttr *base_names(IrModule *m, CircOp *const *bases, size_t n)
{
	const IrAttr **names = arena_array(&m->scratch, const IrAttr *, n);
	for (size_t i = 0; i < n; i++)
		names[i] = ir_attr_symbol(m, ir_symbol_name(bases[i]));
	return ir_attr_array(m, names, (uint32_t)n);
}

static IrOp *make_exception_type(IrModule *m, Name *name, IrType *record, const IrAttr *bases,
                                 const IrOp *release)
{
	IrNamedAttr attrs[4] = {{ir_known_name(m, NAME_sym_name), ir_attr_symbol(m, name)}};
	uint32_t n = 1;
	if (bases->n)
		attrs[n++] = (IrNamedAttr){ir_known_name(m, NAME_bases), bases};
	attrs[n++] = (IrNamedAttr){ir_known_name(m, NAME_sym_type), ir_attr_type(m, record)};
	if (release)
		attrs[n++] =
		    (IrNamedAttr){ir_known_name(m, NAME_release), ir_attr_symbol(m, ir_symbol_name(release))};
	IrOp *op = ir_op_create(m, &(IrOpSpec){.kind = OP_EXCEPTION_TYPE, .attrs = attrs, .nattrs = n});
	CHECK(ir_symbol_define(op));
	ir_op_append(ir_module_block(m), op);
	return op;
}

CircOp *circ_exception_type_create(CircModule *m, const char *name, CircType *record, CircOp *const *bases,
                                   size_t nbases, CircOp *release)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	bool ok = api_value_type(&c, record, "record") && check_bases(&c, bases, nbases) &&
	          (!release || api_symbol(&c, release, OP_FUNC, "release"));
	Name *n = ok ? free_name(&c, name) : NULL;
	IrOp *op = n ? make_exception_type(m, n, record, base_names(m, bases, nbases), release) : NULL;
	api_end(&c);
	return op;
}

/* Attributes of ops */

/* What the op's symbol and shape depend on stays as it was made. */
static bool is_fixed(const IrOp *op, const Name *name)
{
	bool symbol = op_info[op->kind].flags & OPF_SYMBOL;
	return symbol &&
	       (name->id == NAME_sym_name || name->id == NAME_function_type || name->id == NAME_sym_type);
}

bool circ_op_set_attr(CircModule *m, CircOp *op, const char *name, const CircAttr *value)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return false;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return false;
	}
	bool ok = api_op(&c, op, "op") && api_given(&c, name, "name") &&
	          (!value || api_attr(&c, value, "value")) && (!value || api_attr_fits_over(&c, value));
	if (ok && !*name)
		ok = api_error(&c, "'name' is empty");
	Name *n = ok ? ir_name(m, str_of(name)) : NULL;
	if (ok && is_fixed(op, n))
		ok = api_error(&c, "'%s' of a %s cannot be changed", name, op_info[op->kind].name);
	if (ok)
		ir_op_set_attr(m, op, n, value);
	api_end(&c);
	return ok;
}

bool circ_op_set_flag(CircModule *m, CircOp *op, const char *name)
{
	const CircAttr *unit = circ_attr_unit(m);
	return unit && circ_op_set_attr(m, op, name, unit);
}
