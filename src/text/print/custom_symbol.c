/* text/print/custom_symbol.c: functions and globals (reference 4.2, 4.3). */
#include "text/print/printer.h"

enum { CTOR_PRIORITY_DEFAULT = 65535 };

/* `word ` for each unit attribute, in the order of the keywords. */
typedef struct Flag {
	uint32_t id;
	const char *word;
} Flag;

static void put_flags(Printer *p, const IrOp *op, const Flag *flags, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (ir_op_has(op, flags[i].id))
			put(p, str_of(flags[i].word));
}

static void put_keyword(Printer *p, const IrOp *op, NameId id)
{
	const IrAttr *a = ir_op_attr(op, id);
	if (!a)
		return;
	put_char(p, ' ');
	put_word(p, a);
}

/* ` head(@symbol)` */
static void put_symbol_clause(Printer *p, const IrOp *op, NameId id, Str head)
{
	const IrAttr *a = ir_op_attr(op, id);
	if (!a)
		return;
	put(p, head);
	put_attr(p, a);
	put_char(p, ')');
}

static void put_annotations(Printer *p, const IrOp *op)
{
	const IrAttr *a = ir_op_attr(op, NAME_annotations);
	if (!a)
		return;
	put_char(p, ' ');
	put_attr(p, a);
}

static bool units_fit(const IrOp *op, const uint32_t *ids)
{
	for (; *ids != NAMES_END; ids++)
		if (!print_fits_kind(op, *ids, ATTR_UNIT))
			return false;
	return true;
}

/* Functions */

static const uint32_t func_names[] = {
    NAME_sym_name,    NAME_function_type, NAME_linkage,     NAME_sym_visibility,
    NAME_visibility,  NAME_dso_local,     NAME_comdat,      NAME_personality,
    NAME_aliasee,     NAME_calling_conv,  NAME_builtin,     NAME_coroutine,
    NAME_inline_kind, NAME_lambda,        NAME_no_proto,    NAME_func_info,
    NAME_global_ctor, NAME_global_dtor,   NAME_side_effect, NAME_annotations,
    NAME_arg_attrs,   NAME_res_attrs,     NAME_extra,       NAMES_END};

/* The entry block's arguments are the parameters. */
static bool parameters_fit(const IrOp *op, const IrType *type)
{
	const IrBlock *entry = op->regions[0].first;
	if (!entry)
		return true;
	if (entry->nargs != type->nmembers)
		return false;
	for (uint32_t i = 0; i < entry->nargs; i++)
		if (entry->args[i]->type != type->members[i])
			return false;
	return true;
}

static bool func_fits(const IrOp *op)
{
	static const uint32_t units[] = {NAME_dso_local, NAME_comdat,   NAME_builtin, NAME_coroutine,
	                                 NAME_lambda,    NAME_no_proto, NAMES_END};
	const IrType *type = ir_func_type(op);
	if (!ir_symbol_name(op) || !type || type->kind != TYPE_FUNC || !parameters_fit(op, type))
		return false;
	bool result = type->elem->kind != TYPE_VOID;
	return units_fit(op, units) && print_fits_word(op, NAME_linkage, ENUM_LINKAGE) &&
	       print_fits_word(op, NAME_sym_visibility, ENUM_SYM_VISIBILITY) &&
	       print_fits_word(op, NAME_visibility, ENUM_VISIBILITY) &&
	       print_fits_word(op, NAME_calling_conv, ENUM_CALLING_CONV) &&
	       print_fits_word(op, NAME_inline_kind, ENUM_INLINE) &&
	       print_fits_word(op, NAME_side_effect, ENUM_SIDE_EFFECT) &&
	       print_fits_kind(op, NAME_personality, ATTR_SYMBOL) &&
	       print_fits_kind(op, NAME_aliasee, ATTR_SYMBOL) && print_fits_int(op, NAME_global_ctor) &&
	       print_fits_int(op, NAME_global_dtor) && print_fits_kind(op, NAME_annotations, ATTR_ARRAY) &&
	       print_fits_dicts(op, NAME_arg_attrs, type->nmembers) &&
	       print_fits_dicts(op, NAME_res_attrs, result);
}

static void put_parameters(Printer *p, const IrOp *op)
{
	const IrType *type = ir_func_type(op);
	const IrAttr *attrs = ir_op_attr(op, NAME_arg_attrs);
	const IrBlock *entry = op->regions[0].first;
	put_char(p, '(');
	for (uint32_t i = 0; i < type->nmembers; i++) {
		if (i)
			PUT(p, ", ");
		if (entry) {
			put_value(p, entry->args[i]);
			PUT(p, ": ");
		}
		put_attributed_type(p, type->members[i], attrs, i);
	}
	if (type->variadic)
		put(p, type->nmembers ? STR(", ...") : STR("..."));
	put_char(p, ')');
}

static void put_func_result(Printer *p, const IrOp *op)
{
	const IrType *result = ir_func_type(op)->elem;
	const IrAttr *attrs = ir_op_attr(op, NAME_res_attrs);
	if (result->kind == TYPE_VOID)
		return;
	bool parens = attrs && attrs->elems[0]->n;
	put(p, parens ? STR(" -> (") : STR(" -> "));
	put_attributed_type(p, result, attrs, 0);
	if (parens)
		put_char(p, ')');
}

static void put_priority(Printer *p, const IrOp *op, NameId id, Str word)
{
	const IrAttr *a = ir_op_attr(op, id);
	if (!a)
		return;
	put(p, word);
	if (a->bits == CTOR_PRIORITY_DEFAULT)
		return;
	put_char(p, '(');
	spell_attr_number(&p->speller, a);
	put_char(p, ')');
}

static void put_func_keywords(Printer *p, const IrOp *op)
{
	static const Flag first[] = {{NAME_builtin, " builtin"}, {NAME_coroutine, " coroutine"}};
	static const Flag second[] = {
	    {NAME_lambda, " lambda"}, {NAME_no_proto, " no_proto"}, {NAME_comdat, " comdat"}};
	put_flags(p, op, first, ARRAY_LEN(first));
	put_keyword(p, op, NAME_inline_kind);
	put_flags(p, op, second, ARRAY_LEN(second));
	put_keyword(p, op, NAME_linkage);
	/* a declaration is private, said or not */
	if (ir_func_is_declaration(op) && !ir_op_has(op, NAME_sym_visibility) && !ir_op_has(op, NAME_aliasee))
		PUT(p, " private");
	put_keyword(p, op, NAME_sym_visibility);
	put_keyword(p, op, NAME_visibility);
	put_flags(p, op, &(Flag){NAME_dso_local, " dso_local"}, 1);
}

static void put_func_clauses(Printer *p, const IrOp *op)
{
	const IrAttr *a;
	put_symbol_clause(p, op, NAME_aliasee, STR(" alias("));
	if ((a = ir_op_attr(op, NAME_calling_conv))) {
		PUT(p, " cc(");
		put_word(p, a);
		put_char(p, ')');
	}
	put_symbol_clause(p, op, NAME_personality, STR(" personality("));
	if ((a = ir_op_attr(op, NAME_func_info))) {
		PUT(p, " func_info<");
		put_attr(p, a);
		put_char(p, '>');
	}
	put_priority(p, op, NAME_global_ctor, STR(" global_ctor"));
	put_priority(p, op, NAME_global_dtor, STR(" global_dtor"));
	if ((a = ir_op_attr(op, NAME_side_effect))) {
		PUT(p, " side_effect(");
		put_word(p, a);
		put_char(p, ')');
	}
	put_annotations(p, op);
	put_dict(p, op, func_names, STR(" attributes {"));
	if ((a = ir_op_attr(op, NAME_extra))) {
		PUT(p, " extra(");
		put_attr(p, a);
		put_char(p, ')');
	}
}

static uint32_t print_func(Printer *p, const IrOp *op, uint32_t step)
{
	if (step)
		return NO_REGION;
	bool body = !ir_func_is_declaration(op);
	if (body)
		print_bind(p, &op->regions[0]);
	put_func_keywords(p, op);
	put_char(p, ' ');
	put_symbol(p, ir_symbol_name(op));
	put_parameters(p, op);
	put_func_result(p, op);
	put_func_clauses(p, op);
	if (!body)
		return NO_REGION;
	put_char(p, ' ');
	return 0;
}

const CustomPrinter print_custom_func = {func_fits, print_func, func_names};

/* Globals */

static const uint32_t global_names[] = {
    NAME_sym_name,       NAME_sym_type,   NAME_initial_value, NAME_linkage,
    NAME_sym_visibility, NAME_visibility, NAME_constant,      NAME_comdat,
    NAME_tls_model,      NAME_tls_refs,   NAME_dso_local,     NAME_static_local_guard,
    NAME_addr_space,     NAME_aliasee,    NAME_annotations,   NAMES_END};

static bool params_fit(const IrOp *op, NameId id, AttrRow row)
{
	const IrAttr *a = ir_op_attr(op, id);
	return !a || (a->kind == ATTR_PARAMS && a->row == row);
}

static bool address_space_fits(const IrAttr *a)
{
	return !a || a->kind == ATTR_INT || (a->kind == ATTR_ENUM && a->enum_class == ENUM_ADDRESS_SPACE);
}

/* The text has one type, the global's; the value's own type is left out where it says the same. */
static bool initial_value_fits(const IrOp *op, const IrType *type)
{
	const IrAttr *value = ir_op_attr(op, NAME_initial_value);
	if (!value)
		return true;
	return !op->regions[0].first && (value->type == type || value->kind == ATTR_SYMBOL);
}

static bool global_fits(const IrOp *op)
{
	static const uint32_t units[] = {NAME_constant, NAME_comdat, NAME_dso_local, NAMES_END};
	const IrType *type = ir_symbol_type(op);
	return ir_symbol_name(op) && type && initial_value_fits(op, type) && units_fit(op, units) &&
	       ir_op_has(op, NAME_linkage) && print_fits_word(op, NAME_linkage, ENUM_LINKAGE) &&
	       print_fits_word(op, NAME_sym_visibility, ENUM_SYM_VISIBILITY) &&
	       print_fits_word(op, NAME_visibility, ENUM_VISIBILITY) &&
	       print_fits_word(op, NAME_tls_model, ENUM_TLS_MODEL) &&
	       params_fit(op, NAME_tls_refs, ATTR_ROW_TLS_WRAPPER_INIT) &&
	       params_fit(op, NAME_static_local_guard, ATTR_ROW_STATIC_LOCAL_GUARD) &&
	       address_space_fits(ir_op_attr(op, NAME_addr_space)) &&
	       print_fits_kind(op, NAME_aliasee, ATTR_SYMBOL) &&
	       print_fits_kind(op, NAME_annotations, ATTR_ARRAY);
}

/* `"a", "b"` of an attribute whose parameters are strings */
static void put_strings(Printer *p, const IrAttr *a)
{
	put_char(p, '<');
	for (uint32_t i = 0; i < a->n && a->elems[i]; i++) {
		if (i)
			PUT(p, ", ");
		put_attr(p, a->elems[i]);
	}
	put_char(p, '>');
}

static void put_global_keywords(Printer *p, const IrOp *op)
{
	const IrAttr *a;
	if ((a = ir_op_attr(op, NAME_sym_visibility))) {
		PUT(p, " \"");
		put_word(p, a);
		put_char(p, '"');
	}
	put_keyword(p, op, NAME_visibility);
	put_flags(p, op, &(Flag){NAME_constant, " constant"}, 1);
	put_keyword(p, op, NAME_linkage);
	put_flags(p, op, &(Flag){NAME_comdat, " comdat"}, 1);
	if ((a = ir_op_attr(op, NAME_tls_model))) {
		PUT(p, " tls_model = ");
		put_word(p, a);
	}
	if ((a = ir_op_attr(op, NAME_tls_refs))) {
		PUT(p, " tls_refs = ");
		put_strings(p, a);
	}
	put_flags(p, op, &(Flag){NAME_dso_local, " dso_local"}, 1);
	if ((a = ir_op_attr(op, NAME_static_local_guard))) {
		PUT(p, " static_local_guard");
		put_strings(p, a);
	}
	if ((a = ir_op_attr(op, NAME_addr_space))) {
		put_char(p, ' ');
		spell_address_space(&p->speller, a);
	}
}

static void put_global_value(Printer *p, const IrOp *op)
{
	const IrAttr *value = ir_op_attr(op, NAME_initial_value);
	if (value) {
		PUT(p, " = ");
		put_attr(p, value);
		if (value->type)
			return;
	} else if (op->regions[0].first) {
		PUT(p, " = ctor");
	}
	PUT(p, " : ");
	put_type(p, ir_symbol_type(op));
}

/* The reader, as upstream's, takes no region without an op. */
static bool has_more_than_yield(const IrRegion *r)
{
	return r->first->first != r->first->last;
}

static uint32_t print_global(Printer *p, const IrOp *op, uint32_t step)
{
	bool ctor = op->regions[0].first, dtor = op->regions[1].first;
	if (step == 0) {
		put_global_keywords(p, op);
		put_char(p, ' ');
		put_symbol(p, ir_symbol_name(op));
		put_symbol_clause(p, op, NAME_aliasee, STR(" alias("));
		put_global_value(p, op);
		if (ctor) {
			put_char(p, ' ');
			p->omit_yield = has_more_than_yield(&op->regions[0]);
			return 0;
		}
	}
	if (dtor && step == ctor) {
		PUT(p, " dtor ");
		p->omit_yield = has_more_than_yield(&op->regions[1]);
		return 1;
	}
	put_annotations(p, op);
	put_dict(p, op, global_names, STR(" {"));
	return NO_REGION;
}

const CustomPrinter print_custom_global = {global_fits, print_global, global_names};
