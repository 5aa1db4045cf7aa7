/* Function types (cir-reference 2.6), and the lists in the types of ops (1.5). */
#include "text/read/parser.h"

typedef struct Params {
	VEC(IrType *) types;
	bool variadic;
} Params;

/* `(T, U, ...)` */
static bool parameter_types(Parser *p, Params *out)
{
	*out = (Params){0};
	if (!expect(p, '('))
		return false;
	while (!at(p, ')')) {
		const char *where = peek(p).at;
		if (out->variadic)
			return parse_fail(p, where, "'...' must be last");
		if (accept(p, TOK_ELLIPSIS)) {
			out->variadic = true;
		} else {
			IrType *t = parse_type(p);
			if (!t)
				return false;
			vec_push(p->mem, &out->types, t);
		}
		if (!accept(p, ','))
			break;
	}
	return expect(p, ')');
}

static IrType *result_type(Parser *p)
{
	if (!at(p, '('))
		return parse_type(p);
	const char *where = peek(p).at;
	Params list;
	if (!parameter_types(p, &list))
		return NULL;
	if (list.types.len > 1 || list.variadic) {
		parse_fail(p, where, "functions with multiple return types are not supported");
		return NULL;
	}
	return list.types.len ? list.types.data[0] : ir_type_simple(p->m, TYPE_VOID);
}

/* Result NULL: none */
static IrType *func_of(Parser *p, const char *at, Params *params, IrType *result)
{
	for (uint32_t i = 0; i < params->types.len; i++)
		params->types.data[i] = parse_pointers_to_cir_type(p, at, params->types.data[i]);
	if (result)
		result = parse_pointers_to_cir_type(p, at, result);
	return ir_type_func(p->m, params->types.data, params->types.len, result, params->variadic);
}

IrType *parse_func_type(Parser *p, Str keyword)
{
	(void)keyword;
	if (!expect(p, '<'))
		return NULL;
	IrType *result = NULL;
	const char *where = peek(p).at, *result_at;
	if (!at(p, '(')) { /* the incubator writes the result first */
		parse_older(p, where, "the result before the parameters");
		if (!(result = parse_type(p)))
			return NULL;
	}
	Params params;
	if (!parameter_types(p, &params))
		return NULL;
	if (!result && accept(p, TOK_ARROW)) {
		result_at = peek(p).at;
		if (!(result = result_type(p)))
			return NULL;
		if (result->kind == TYPE_VOID)
			parse_older(p, result_at, "the result 'void' of a function type");
	}
	return expect(p, '>') ? func_of(p, where, &params, result) : NULL;
}

/* A function type without its `!cir.func`: `(T) -> R` */
IrType *parse_bare_func_type(Parser *p)
{
	const char *where = peek(p).at;
	Params params;
	IrType *result = NULL;
	if (!parameter_types(p, &params) || (accept(p, TOK_ARROW) && !(result = result_type(p))))
		return NULL;
	return func_of(p, where, &params, result);
}

/* Lists in the types of ops: 1.5. */

static bool list_element(Parser *p, TypeList *out)
{
	if (accept(p, TOK_ELLIPSIS)) {
		out->variadic = true;
		return true;
	}
	IrType *t = parse_type(p);
	if (!t)
		return false;
	vec_push(p->mem, &out->types, t);
	if (!at(p, '{'))
		return true;
	const IrAttr *dict = parse_dict(p);
	if (dict && dict->n) {
		while (out->dicts.len + 1 < out->types.len)
			vec_push(p->mem, &out->dicts, NULL);
		vec_push(p->mem, &out->dicts, dict);
	}
	return dict != NULL;
}

bool parse_type_list(Parser *p, TypeList *out)
{
	out->types.len = out->dicts.len = 0;
	out->variadic = false;
	if (!expect(p, '('))
		return false;
	while (!at(p, ')')) {
		if (out->variadic)
			return parse_fail(p, peek(p).at, "'...' must be last");
		if (!list_element(p, out))
			return false;
		if (!accept(p, ','))
			break;
	}
	return expect(p, ')');
}

bool parse_result_list(Parser *p, TypeList *out)
{
	out->types.len = out->dicts.len = 0;
	out->variadic = false;
	if (at(p, '(')) {
		if (!parse_type_list(p, out))
			return false;
	} else {
		IrType *t = parse_type(p); /* a brace behind it belongs to the op */
		if (!t)
			return false;
		vec_push(p->mem, &out->types, t);
	}
	if (out->types.len == 1 && out->types.data[0]->kind == TYPE_VOID)
		out->types.len = out->dicts.len = 0;
	return true;
}
