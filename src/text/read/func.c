/* cir.func: cir-reference 4.2. Keywords are accepted in any order. */
#include "text/read/parser.h"

typedef struct FuncText {
	Name *name;
	const IrAttr *res_attrs;
	IrType *result;
	bool variadic;
	const char *unnamed_at; /* a parameter without a name */
} FuncText;

/* Before the name */

static bool push_enum_word(Parser *p, NameId name, EnumClass c)
{
	int word = ir_enum_find(c, token_str(peek(p)));
	if (word < 0)
		return false;
	push_enum(p, name, c, (unsigned)word);
	advance(p);
	return true;
}

static const struct {
	const char *word;
	NameId name;
	const char *older; /* what it is then, or NULL */
} flags[] = {{"builtin", NAME_builtin},
             {"coroutine", NAME_coroutine},
             {"flattened_coroutine", NAME_coroutine},
             {"lambda", NAME_lambda},
             {"no_proto", NAME_no_proto},
             {"dso_local", NAME_dso_local},
             {"dsolocal", NAME_dso_local, "'dsolocal'"},
             {"optnone", NAME_optnone},
             {"cold", NAME_cold}};

static bool push_flag_word(Parser *p)
{
	for (unsigned i = 0; i < ARRAY_LEN(flags); i++) {
		if (str_is(token_str(peek(p)), flags[i].word)) {
			if (flags[i].older)
				parse_older(p, peek(p).at, flags[i].older);
			push_flag(p, flags[i].name);
			advance(p);
			return true;
		}
	}
	return false;
}

/* `inline(never)`, `inline(always)`, `inline(hint)` */
static bool inline_clause(Parser *p)
{
	parse_older(p, p->lx.before_end - strlen("inline"), "'inline(…)'");
	if (!expect(p, '('))
		return false;
	int word = parse_enum_word(p, ENUM_INLINE);
	if (word < 0 || !expect(p, ')'))
		return false;
	push_enum(p, NAME_inline_kind, ENUM_INLINE, (unsigned)word);
	return true;
}

/* `"private"` */
static bool quoted_visibility(Parser *p)
{
	const char *where = peek(p).at;
	Str s;
	if (!parse_string(p, &s))
		return false;
	int word = ir_enum_find(ENUM_SYM_VISIBILITY, s);
	parse_older(p, where, "the visibility of a function in quotes");
	if (word < 0)
		return parse_fail(p, where, "expected \"public\", \"private\" or \"nested\"");
	push_enum(p, NAME_sym_visibility, ENUM_SYM_VISIBILITY, (unsigned)word);
	return true;
}

/* "; did you mean 'linkonce_odr'?", or "" */
static const char *similar_leading_word(Parser *p)
{
	static const EnumClass classes[] = {ENUM_LINKAGE, ENUM_SYM_VISIBILITY, ENUM_VISIBILITY, ENUM_INLINE};
	Suggestion s = suggest_begin(token_str(peek(p)));
	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		for (const char *const *w = ir_enum_info[classes[i]].words; *w; w++)
			suggest_try(&s, str_of(*w));
	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		suggest_try(&s, str_of(flags[i].word));
	return parse_did_you_mean(p, &s, "");
}

static bool leading_word(Parser *p)
{
	if (at(p, TOK_STRING))
		return quoted_visibility(p);
	if (!at(p, TOK_WORD))
		return expected(p, "a symbol name, '@name'");
	if (push_flag_word(p) || push_enum_word(p, NAME_linkage, ENUM_LINKAGE) ||
	    push_enum_word(p, NAME_sym_visibility, ENUM_SYM_VISIBILITY) ||
	    push_enum_word(p, NAME_visibility, ENUM_VISIBILITY) ||
	    push_enum_word(p, NAME_inline_kind, ENUM_INLINE))
		return true;
	if (accept_word(p, STR("inline")))
		return inline_clause(p);
	if (accept_word(p, STR("comdat")))
		return parse_comdat_clause(p);
	if (accept_word(p, STR("alignment"))) /* of the newest; older: `{alignment = 2 : i64}` */
		return parse_alignment_clause(p);
	return parse_fail(p, peek(p).at,
	                  "expected a keyword of cir.func, or a symbol name, '@name', found '%.*s'%s",
	                  (int)peek(p).len, peek(p).at, similar_leading_word(p));
}

static bool leading_words(Parser *p, const Frame *f)
{
	while (!at(p, TOK_SYMBOL)) {
		const char *where = peek(p).at;
		uint32_t before = p->attrs.len;
		if (!leading_word(p) || !parse_check_new(p, where, f->attrs, before))
			return false;
	}
	parse_drop_default(p, f->attrs, NAME_linkage, LINKAGE_EXTERNAL);
	parse_drop_default(p, f->attrs, NAME_sym_visibility, SYM_VISIBILITY_PUBLIC);
	parse_drop_default(p, f->attrs, NAME_visibility, VISIBILITY_DEFAULT);
	return true;
}

/* Parameters and result */

static bool parameter(Parser *p, FuncText *ft)
{
	RegionArg arg = {0};
	if (at(p, TOK_VALUE)) {
		arg.name = peek(p);
		advance(p);
		if (!expect(p, ':'))
			return false;
	} else if (!ft->unnamed_at) {
		ft->unnamed_at = peek(p).at;
	}
	const char *where = peek(p).at;
	if (!(arg.type = parse_type(p)))
		return false;
	arg.type = parse_signature_type(p, where, arg.type);
	const IrAttr *dict = NULL;
	if (at(p, '{') && !(dict = parse_dict(p)))
		return false;
	if (!parse_trailing_loc(p, &arg.loc))
		return false;
	vec_push(p->mem, &p->params.types, arg.type);
	vec_push(p->mem, &p->params.args, arg);
	vec_push(p->mem, &p->params.dicts, dict && dict->n ? dict : NULL);
	return true;
}

static bool parameters(Parser *p, FuncText *ft)
{
	p->params.types.len = p->params.args.len = p->params.dicts.len = 0;
	if (!expect(p, '('))
		return false;
	while (!at(p, ')')) {
		if (ft->variadic)
			return parse_fail(p, peek(p).at, "'...' must be last");
		if (accept(p, TOK_ELLIPSIS))
			ft->variadic = true;
		else if (!parameter(p, ft))
			return false;
		if (!accept(p, ','))
			break;
	}
	return expect(p, ')');
}

/* Is the brace behind a result type without parentheses a dictionary, not the body? */
static bool at_result_dict(const Parser *p)
{
	Lexer ahead = p->lx;
	if (!at(p, '{'))
		return false;
	lex_next(&ahead);
	Token key = ahead.tok;
	lex_next(&ahead);
	bool follows = ahead.tok.kind == '=' || ahead.tok.kind == ',' || ahead.tok.kind == '}';
	if (key.kind == TOK_STRING)
		return follows && ahead.tok.kind != '}';
	return key.kind == TOK_WORD && follows && (key.len < 4 || memcmp(key.at, "cir.", 4) != 0);
}

static bool is_personality(const Name *name)
{
	static const char *const known[] = {"__gxx_personality_v0",   "__gxx_personality_seh0",
	                                    "__gxx_personality_sj0",  "__gcc_personality_v0",
	                                    "__gcc_personality_seh0", "__CxxFrameHandler3",
	                                    "__C_specific_handler"};
	for (unsigned i = 0; i < ARRAY_LEN(known); i++)
		if (strcmp(name->text, known[i]) == 0)
			return true;
	return false;
}

/* clang declares personalities as `(...) -> i32`, the newest, too: that tells of no era. Under another name it would. */
static IrType *result_in_cir(Parser *p, const FuncText *ft, IrType *t, const char *where)
{
	bool told = t->kind == TYPE_BUILTIN_INT && t->width == 32 && ft->variadic && !p->params.types.len &&
	            is_personality(ft->name);
	if (!told)
		return parse_signature_type(p, where, t);
	return parse_cir_type_of(p, t);
}

static bool result(Parser *p, FuncText *ft)
{
	if (!accept(p, TOK_ARROW))
		return true;
	const char *where = peek(p).at;
	if (!parse_result_list(p, &p->list))
		return false;
	if (p->list.types.len > 1 || p->list.variadic)
		return parse_fail(p, where, "functions with multiple return types are not supported");
	if (p->list.types.len)
		ft->result = result_in_cir(p, ft, p->list.types.data[0], where);
	if (p->list.dicts.len)
		ft->res_attrs = p->list.dicts.data[0];
	else if (at_result_dict(p))
		return (ft->res_attrs = parse_dict(p)) != NULL;
	return true;
}

/* One dictionary per argument; nothing when all are empty. */
void push_dicts(Parser *p, NameId name, const IrAttr *const *dicts, uint32_t n, uint32_t total)
{
	bool any = false;
	for (uint32_t i = 0; i < n; i++)
		any = any || dicts[i];
	if (!any)
		return;
	const IrAttr *empty = ir_attr_dict(p->m, NULL, NULL, 0);
	uint32_t base = p->elems.len;
	for (uint32_t i = 0; i < total; i++)
		vec_push(p->mem, &p->elems, i < n && dicts[i] ? dicts[i] : empty);
	push_attr(p, p->known[name], ir_attr_array(p->m, p->elems.data + base, total));
	p->elems.len = base;
}

static void push_signature(Parser *p, const FuncText *ft)
{
	const FuncParams *params = &p->params;
	IrType *type = ir_type_func(p->m, params->types.data, params->types.len, ft->result, ft->variadic);
	push_attr(p, p->known[NAME_sym_name], ir_attr_symbol(p->m, ft->name));
	push_attr(p, p->known[NAME_function_type], ir_attr_type(p->m, type));
	push_dicts(p, NAME_arg_attrs, params->dicts.data, params->dicts.len, params->types.len);
	if (ft->res_attrs)
		push_dicts(p, NAME_res_attrs, &ft->res_attrs, 1, 1);
}

/* Behind the signature */

static bool func_info_clause(Parser *p)
{
	if (!expect(p, '<'))
		return false;
	const char *where = peek(p).at;
	const IrAttr *a = parse_attr(p);
	if (!a || !expect(p, '>'))
		return false;
	if (a->kind != ATTR_OPAQUE)
		return parse_fail(p, where, "expected a function info attribute, got %s",
		                  ir_attr_str(p->mem, a));
	push_attr(p, p->known[NAME_func_info], a);
	return true;
}

/* `global_ctor(101)`, `global_ctor` */
static bool priority_clause(Parser *p, NameId name)
{
	uint64_t priority = 65535;
	if (accept(p, '(')) {
		const char *where = peek(p).at;
		if (!parse_uint(p, &priority, "priority") || !expect(p, ')'))
			return false;
		if (priority > 65535)
			return parse_fail(p, where, "priority is %llu; expected at most 65535",
			                  (unsigned long long)priority);
	}
	push_attr(p, p->known[name], ir_attr_i64(p->m, (int64_t)priority));
	return true;
}

/* What the keywords of cir.func say is not said again in its dictionary. */
static bool check_attributes(Parser *p, const char *where, uint32_t first)
{
	static const NameId printed[] = {NAME_sym_name,  NAME_function_type, NAME_linkage,   NAME_builtin,
	                                 NAME_coroutine, NAME_lambda,        NAME_no_proto,  NAME_aliasee,
	                                 NAME_dso_local, NAME_calling_conv,  NAME_func_info, NAME_arg_attrs,
	                                 NAME_res_attrs, NAME_visibility};
	for (uint32_t i = first; i < p->attrs.len; i++)
		for (unsigned k = 0; k < ARRAY_LEN(printed); k++)
			if (p->attrs.data[i].name == p->known[printed[k]])
				return parse_fail(
				    p, where,
				    "attribute '%s' has a clause of its own; write it before 'attributes'",
				    p->attrs.data[i].name->text);
	return true;
}

static bool attributes_clause(Parser *p, const Frame *f)
{
	const char *where = peek(p).at;
	uint32_t first = p->attrs.len;
	return parse_known_dict(p, f->attrs) && check_attributes(p, where, first);
}

/* `#cir.inline<never>`, of a few weeks of 2025; an AST attribute, which says nothing. */
static bool attribute_clause(Parser *p)
{
	parse_older(p, peek(p).at, "an attribute after the signature");
	parse_tell_ast(p);
	const IrAttr *a = parse_attr(p);
	if (a && a->kind == ATTR_ENUM && a->enum_class == ENUM_INLINE)
		push_attr(p, p->known[NAME_inline_kind], a);
	return a != NULL;
}

/* D: ` #personality_fn = @f`. */
static bool hash_clause(Parser *p)
{
	Token t = peek(p);
	if (!token_is(t, STR("#personality_fn")))
		return attribute_clause(p);
	parse_older(p, t.at, "'#personality_fn'");
	advance(p);
	p->design = true;
	if (!expect(p, '='))
		return false;
	Name *symbol = parse_symbol(p);
	if (symbol)
		push_attr(p, p->known[NAME_personality], ir_attr_symbol(p->m, symbol));
	return symbol != NULL;
}

static bool annotations_clause(Parser *p)
{
	const IrAttr *list = parse_attr_list(p);
	if (list)
		push_attr(p, p->known[NAME_annotations], list);
	return list != NULL;
}

/* A word on the line of the signature, which no op begins with. */
static bool at_unknown_clause(Parser *p)
{
	Token t = peek(p);
	return t.kind == TOK_WORD && parse_same_line(p) && !memchr(t.at, '.', t.len) &&
	       !token_is(t, STR("loc")) && !token_is(t, STR("func")) && !token_is(t, STR("module"));
}

static const char *similar_clause(Parser *p)
{
	static const char *const words[] = {"alias",       "cc",          "personality", "func_info",
	                                    "global_ctor", "global_dtor", "side_effect", "attributes"};
	Suggestion s = suggest_begin(token_str(peek(p)));
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		suggest_try(&s, str_of(words[i]));
	return parse_did_you_mean(p, &s, "");
}

/* *any: was there a clause? */
static bool clause(Parser *p, const Frame *f, bool *any)
{
	*any = true;
	if (at(p, '['))
		return annotations_clause(p);
	if (at(p, TOK_ATTR) && parse_same_line(p))
		return hash_clause(p);
	if (accept_word(p, STR("alias")))
		return parse_symbol_clause(p, NAME_aliasee);
	if (accept_word(p, STR("cc")))
		return parse_cc_clause(p);
	if (accept_word(p, STR("personality")))
		return parse_symbol_clause(p, NAME_personality);
	if (at_word(p, STR("special_member")))
		parse_older(p, peek(p).at, "'special_member'");
	if (accept_word(p, STR("func_info")) || accept_word(p, STR("special_member")))
		return func_info_clause(p);
	if (accept_word(p, STR("global_ctor")))
		return priority_clause(p, NAME_global_ctor);
	if (accept_word(p, STR("global_dtor")))
		return priority_clause(p, NAME_global_dtor);
	if (accept_word(p, STR("side_effect")))
		return parse_side_effect_clause(p);
	if (accept_word(p, STR("attributes")))
		return attributes_clause(p, f);
	if (accept_word(p, STR("extra")))
		return parse_extra_clause(p, f);
	if (accept_word(p, STR("inline")))
		return inline_clause(p);
	if (at_word(p, STR("ast"))) {
		parse_older(p, peek(p).at, "'ast' after the signature");
		advance(p);
		return true;
	}
	*any = false;
	return !at_unknown_clause(p) || parse_fail(p, peek(p).at, "'cir.func' has no clause '%.*s'%s",
	                                           (int)peek(p).len, peek(p).at, similar_clause(p));
}

static Parsed body(Parser *p, Frame *f, const FuncText *ft)
{
	if (ft->unnamed_at) {
		parse_fail(p, ft->unnamed_at, "expected an argument name: the function has a body");
		return PARSED_NO;
	}
	if (pushed_attr(p, f, NAME_aliasee)) {
		parse_fail(p, peek(p).at, "an alias cannot have a body");
		return PARSED_NO;
	}
	f->phase = 1;
	return parse_open_region(p, p->params.args.data, p->params.args.len);
}

Parsed parse_custom_func(Parser *p, Frame *f)
{
	if (f->phase == 1) {
		f->dict_read = true;
		if (p->regions.data[f->regions]->first || p->d->errors > f->errors)
			return PARSED_ALL;
		parse_fail(p, f->region_at, "expected non-empty function body");
		return PARSED_NO;
	}
	if (token_is((Token){.at = f->at, .len = 4}, STR("func"))) /* `func`, `func.func` */
		parse_in_era_a(p);
	FuncText ft = {0};
	if (!parse_leading_words(p, f, leading_words))
		return PARSED_NO;
	if (!(ft.name = parse_symbol(p)) || !parameters(p, &ft) || !result(p, &ft))
		return PARSED_NO;
	push_signature(p, &ft);
	for (bool any = true; any;) {
		const char *where = peek(p).at;
		uint32_t before = p->attrs.len;
		if (!clause(p, f, &any) || !parse_check_new(p, where, f->attrs, before))
			return PARSED_NO;
	}
	if (at(p, '{'))
		return body(p, f, &ft);
	f->dict_read = true;
	return PARSED_ALL;
}
