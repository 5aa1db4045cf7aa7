/* Enumerations, and the attributes that are rows of attrs.def. */
#include "text/read/parser.h"

/* Words of older eras. */
static Str newest_word(EnumClass c, Str word)
{
	static const struct {
		EnumClass class;
		const char *old, *now;
	} renamed[] = {
	    {ENUM_INLINE, "no", "no_inline"},
	    {ENUM_INLINE, "never", "no_inline"},
	    {ENUM_INLINE, "always", "always_inline"},
	    {ENUM_INLINE, "hint", "inline_hint"},
	    {ENUM_CAST, "bool_to_sint", "bool_to_int"},
	    {ENUM_COMPLEX_RANGE, "none", "full"},
	    {ENUM_CMP, "fone", "one"},
	    {ENUM_CMP, "funo", "uno"},
	};
	for (unsigned i = 0; i < ARRAY_LEN(renamed); i++)
		if (renamed[i].class == c && str_equal(str_of(renamed[i].old), word))
			return str_of(renamed[i].now);
	return word;
}

/* MLIR reads the words of enumerations in quotes, too. */
static Str unquoted(Token t)
{
	Str s = token_str(t);
	return t.kind == TOK_STRING ? (Str){s.data + 1, s.len - 2} : s;
}

/* "; did you mean 'x'?", or "". */
static const char *similar_word(Parser *p, EnumClass c, Str word)
{
	Suggestion s = suggest_begin(word);
	for (const char *const *w = ir_enum_info[c].words; *w; w++)
		suggest_try(&s, str_of(*w));
	return parse_did_you_mean(p, &s, "");
}

int parse_enum_word(Parser *p, EnumClass c)
{
	Token t = peek(p);
	Str text = unquoted(t), newest = newest_word(c, text);
	int word = t.kind == TOK_WORD || t.kind == TOK_STRING ? ir_enum_find(c, newest) : -1;
	if (word >= 0) {
		if (newest.data != text.data)
			parse_renamed(p, t.at, text, newest.data);
		advance(p);
		return word;
	}
	const char *similar = similar_word(p, c, text);
	if (c == ENUM_LANG)
		parse_fail(p, t.at, "invalid language keyword '%.*s'%s", (int)t.len, t.at, similar);
	else if (c == ENUM_CALLING_CONV)
		parse_fail(p, t.at, "unknown calling convention%s", similar);
	else if (c == ENUM_INLINE)
		parse_fail(p, t.at,
		           "expected one of [no_inline, always_inline, inline_hint] for inline kind%s",
		           similar);
	else {
		StrBuf list = {0};
		for (const char *const *w = ir_enum_info[c].words; *w; w++)
			buf_printf(p->mem, &list, "%s%s", list.len ? ", " : "", *w);
		buf_char(p->mem, &list, '\0');
		parse_fail(p, t.at, "expected one of [%s], found '%.*s'%s", list.data, (int)t.len, t.at,
		           similar);
	}
	return -1;
}

const IrAttr *parse_enum_attr(Parser *p, EnumClass c)
{
	if (!expect(p, '<'))
		return NULL;
	int word = parse_enum_word(p, c);
	return word >= 0 && expect(p, '>') ? ir_attr_enum(p->m, c, (unsigned)word) : NULL;
}

static bool matches_kind(const IrAttr *a, ParamKind kind)
{
	switch (kind) {
	case PARAM_STR:
		return a->kind == ATTR_STRING;
	case PARAM_INT:
		return a->kind == ATTR_INT;
	case PARAM_FLAG:
		return a->kind == ATTR_FLAG;
	case PARAM_TYPE:
		return a->kind == ATTR_TYPE;
	case PARAM_SYM:
		return a->kind == ATTR_SYMBOL;
	default:
		return true;
	}
}

static const IrAttr *param_value(Parser *p, const AttrParam *param)
{
	static const char *const what[] = {"string", "word",   "integer",  "'true' or 'false'",
	                                   "type",   "symbol", "attribute"};
	Token t = peek(p);
	const IrAttr *a = NULL;
	if (param->kind == PARAM_WORD && t.kind == TOK_WORD) {
		advance(p);
		return ir_attr_string(p->m, token_str(t));
	}
	if (param->kind == PARAM_INT && t.kind == TOK_INT)
		a = parse_number(p);
	else if (param->kind != PARAM_WORD && param->kind != PARAM_INT)
		a = parse_attr(p);
	else
		expected(p, what[param->kind]);
	if (a && !matches_kind(a, param->kind)) {
		parse_fail(p, t.at, "expected %s for '%s'", what[param->kind], param->key);
		return NULL;
	}
	int64_t n;
	if (a && param->kind == PARAM_INT && ir_attr_get_i64(a, &n))
		a = ir_attr_i64(p->m, n); /* some eras type it */
	return a;
}

/* Keys that have been renamed: `srcRtti` was `src_rtti`. */
static bool same_key(const char *key, Token t)
{
	uint32_t i = 0;
	for (; *key; key++) {
		if (i < t.len && t.at[i] == *key) {
			i++;
		} else if (*key == '_' && key[1] && i < t.len && (t.at[i] | 32) == key[1] && t.at[i] < 'a') {
			i++;
			key++;
		} else {
			return false;
		}
	}
	return i == t.len;
}

static int find_param(const AttrRowInfo *row, Token t)
{
	for (uint32_t i = 0; i < row->nparams; i++)
		if (same_key(row->params[i].key, t))
			return (int)i;
	return -1;
}

/* The parameter that comes next: named, or the first one that is still missing. */
static int next_param(Parser *p, const AttrRowInfo *row, const IrAttr *const *elems)
{
	Token t = peek(p);
	if (t.kind == TOK_WORD) {
		Lexer saved = p->lx;
		advance(p);
		if (accept(p, '=')) {
			int i = find_param(row, t);
			if (i < 0)
				parse_fail(p, t.at, "'%s' has no parameter '%.*s'", row->name, (int)t.len,
				           t.at);
			else if (elems[i])
				parse_fail(p, t.at, "duplicate parameter '%.*s'", (int)t.len, t.at);
			return i >= 0 && elems[i] ? -1 : i;
		}
		p->lx = saved;
	}
	if (row == &ir_attr_row_info[ATTR_ROW_DYN_CAST_INFO] && !elems[0])
		parse_older(p, t.at, "a parameter without its name");
	for (uint32_t i = 0; i < row->nparams; i++)
		if (!elems[i])
			return (int)i;
	parse_fail(p, t.at, "'%s' has at most %u parameters", row->name, row->nparams);
	return -1;
}

const IrAttr *parse_params(Parser *p, AttrRow row)
{
	const AttrRowInfo *info = &ir_attr_row_info[row];
	const IrAttr **elems = arena_array(p->mem, const IrAttr *, info->nparams);
	if (!expect(p, '<'))
		return NULL;
	while (!at(p, '>')) {
		int i = next_param(p, info, elems);
		if (i < 0 || !(elems[i] = param_value(p, &info->params[i])))
			return NULL;
		if (!accept(p, ','))
			break;
	}
	for (uint32_t i = 0; i < info->nparams; i++) {
		if (!elems[i] && !(info->params[i].flags & PARAM_OPT)) {
			expected(p, arena_printf(p->mem, "parameter '%s'", info->params[i].key));
			return NULL;
		}
	}
	if (!expect(p, '>'))
		return NULL;
	IrAttr key = {.kind = ATTR_PARAMS, .row = (uint16_t)row, .elems = elems, .n = info->nparams};
	return ir_attr_intern(p->m, &key);
}

const IrAttr *parse_unprefixed_params(Parser *p, AttrRow row)
{
	if (at(p, '<'))
		return parse_params(p, row);
	const char *where = peek(p).at;
	const IrAttr *a = parse_attr(p);
	if (a && (a->kind != ATTR_PARAMS || a->row != row)) {
		parse_fail(p, where, "expected '#cir.%s<…>'", ir_attr_row_info[row].name);
		return NULL;
	}
	return a;
}
