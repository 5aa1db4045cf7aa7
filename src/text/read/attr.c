/* Attributes and dictionaries: cir-reference 1.7. Constants are in text/read/const.c, what
 * we do not know in text/read/opaque.c. */
#include "text/read/parser.h"

#include "text/read/scan.h"

IrType *parse_colon_type(Parser *p, bool *ok)
{
	*ok = true;
	if (!accept(p, ':'))
		return NULL;
	IrType *t = parse_type(p);
	*ok = t != NULL;
	return t;
}

/* `3 : i32`, `7`, `1.5 : f32` */
const IrAttr *parse_number(Parser *p)
{
	Token t = peek(p);
	advance(p);
	bool ok;
	bool era_a = p->era_a;
	p->era_a = false; /* only ops mean !s32i by i32, and say so themselves */
	IrType *type = parse_colon_type(p, &ok);
	p->era_a = era_a;
	if (!ok)
		return NULL;
	if (type && parse_is_cir_type(type))
		parse_older(p, t.at, "a number for '#cir.int' or '#cir.fp'");
	if (t.kind == TOK_INT) {
		if (!type || (type->kind == TYPE_BUILTIN_INT && type->width == 64))
			return parse_i64(p, t);
		if (type->kind == TYPE_INT || type->kind == TYPE_BUILTIN_INT || type->kind == TYPE_INDEX)
			return parse_int_value(p, t, type);
		if (!ir_is_float(type) && type->kind != TYPE_BUILTIN_FLOAT) {
			parse_fail(p, t.at, "integer literal not valid for specified type");
			return NULL;
		}
	}
	if (!type)
		type = ir_type_builtin_float(p->m, "f64");
	if (!ir_is_float(type) && type->kind != TYPE_BUILTIN_FLOAT) {
		parse_fail(p, t.at, "floating point value not valid for specified type");
		return NULL;
	}
	IrAttr key = {.kind = ATTR_FLOAT, .type = type, .name = ir_name(p->m, token_str(t))};
	return ir_attr_intern(p->m, &key);
}

static const IrAttr *string_attr(Parser *p)
{
	Str s;
	bool ok;
	if (!parse_string(p, &s))
		return NULL;
	IrType *type = parse_colon_type(p, &ok);
	if (!ok)
		return NULL;
	return ir_attr_intern(p->m, &(IrAttr){.kind = ATTR_STRING, .name = ir_name(p->m, s), .type = type});
}

/* `@a`, `@a::@b` */
static const IrAttr *symbol_attr(Parser *p)
{
	Name *name = parse_symbol(p);
	if (!name)
		return NULL;
	if (!at(p, TOK_SCOPE))
		return ir_attr_symbol(p->m, name);
	uint32_t base = p->elems.len;
	while (accept(p, TOK_SCOPE)) {
		Name *nested = parse_symbol(p);
		if (!nested) {
			p->elems.len = base;
			return NULL;
		}
		vec_push(p->mem, &p->elems, ir_attr_symbol(p->m, nested));
	}
	IrAttr key = {
	    .kind = ATTR_SYMBOL, .name = name, .elems = p->elems.data + base, .n = p->elems.len - base};
	p->elems.len = base;
	return ir_attr_intern(p->m, &key);
}

bool parse_elements(Parser *p, int close)
{
	Aggregate *inside = p->inside;
	const IrAttr *a = p->unit;
	p->inside = NULL; /* a list in a constant, the path of a view, holds no elements of the constant */
	while (!at(p, close) && (a = parse_attr(p))) {
		vec_push(p->mem, &p->elems, a);
		if (!accept(p, ','))
			break;
	}
	p->inside = inside;
	return a && expect(p, close);
}

/* `[a, b]` */
const IrAttr *parse_attr_list(Parser *p)
{
	uint32_t base = p->elems.len;
	const IrAttr *a = NULL;
	if (expect(p, '[') && parse_elements(p, ']'))
		a = ir_attr_array(p->m, p->elems.data + base, p->elems.len - base);
	p->elems.len = base;
	return a;
}

/* Dictionaries */

static Name *dict_key(Parser *p)
{
	Token t = peek(p);
	Str s;
	if (t.kind == TOK_WORD) {
		advance(p);
		return ir_name(p->m, token_str(t));
	}
	if (t.kind == TOK_STRING && parse_string(p, &s))
		return ir_name(p->m, s);
	expected(p, "attribute name");
	return NULL;
}

static const IrAttr *type_attr(Parser *p, IrType *type)
{
	return type ? ir_attr_type(p->m, type) : NULL;
}

/* `function_type = (T) -> R`, without `!cir.func`, is of the earliest era. */
static const IrAttr *entry_value(Parser *p, const Name *key)
{
	bool bare = at(p, '(') && key == p->known[NAME_function_type];
	return bare ? type_attr(p, parse_type(p)) : parse_attr(p);
}

static bool dict_entry(Parser *p, uint32_t first)
{
	const char *where = peek(p).at;
	Name *key = dict_key(p);
	if (!key)
		return false;
	for (uint32_t i = first; i < p->attrs.len; i++)
		if (p->attrs.data[i].name == key)
			return parse_fail(p, where, "duplicate key '%s' in dictionary attribute", key->text);
	const IrAttr *value = accept(p, '=') ? entry_value(p, key) : p->unit;
	if (!value)
		return false;
	vec_push(p->mem, &p->attrs, ((IrNamedAttr){key, value}));
	return true;
}

bool parse_dict_onto_attrs(Parser *p, uint32_t first)
{
	if (!expect(p, '{'))
		return false;
	while (!at(p, '}')) {
		if (!dict_entry(p, first))
			return false;
		if (!accept(p, ','))
			break;
	}
	return expect(p, '}');
}

const IrAttr *parse_pop_dict(Parser *p, uint32_t base)
{
	uint32_t n = p->attrs.len - base;
	Name **keys = arena_array(p->mem, Name *, n + 1);
	uint32_t elems = p->elems.len;
	for (uint32_t i = 0; i < n; i++) {
		keys[i] = p->attrs.data[base + i].name;
		vec_push(p->mem, &p->elems, p->attrs.data[base + i].value);
	}
	const IrAttr *a = ir_attr_dict(p->m, keys, p->elems.data + elems, n);
	p->elems.len = elems;
	return a;
}

/* Behind a dictionary without nested braces and escapes, or NULL. */
static const char *plain_dict_end(const char *q, const char *end)
{
	for (;;) {
		q = scan_plain_type(q + 1, end);
		if (q < end && *q == '"')
			q = scan_plain(q + 1, end);
		if (q == end)
			return NULL;
		if (*q == '}')
			return q + 1;
		if (*q != '"' && *q != '<' && *q != '>')
			return NULL;
	}
}

static const IrAttr *dict_body(Parser *p)
{
	uint32_t base = p->attrs.len;
	const IrAttr *a = parse_dict_onto_attrs(p, base) ? parse_pop_dict(p, base) : NULL;
	p->attrs.len = base;
	return a;
}

const IrAttr *parse_dict(Parser *p)
{
	/* The same few stand behind the types of most calls. */
	const char *begin = peek(p).at;
	const Slice *recent = at(p, '{') ? recent_find(&p->recent_dicts, begin, p->lx.end) : NULL;
	if (recent) {
		lex_seek(&p->lx, begin + recent->len);
		return recent->u.ptr;
	}
	uint32_t told = p->ntold;
	const char *limit = p->lx.end - begin > CACHED_TEXT_MAX ? begin + CACHED_TEXT_MAX : p->lx.end;
	const char *end = at(p, '{') ? plain_dict_end(begin, limit) : NULL;
	if (!end)
		return dict_body(p);
	uint32_t len = (uint32_t)(end - begin), hash = hash_bytes(&p->m->names.key, begin, len);
	Slice *s = slice_find(&p->cache, begin, len, hash);
	if (s) {
		lex_seek(&p->lx, end);
	} else {
		const IrAttr *a = dict_body(p);
		if (!a || p->lx.before_end != end || p->ntold != told)
			return a;
		s = slice_add(p->mem, &p->cache, begin, len, hash);
		s->u.ptr = (void *)(uintptr_t)a;
	}
	recent_add(&p->recent_dicts, s);
	return s->u.ptr;
}

static bool has_key(const Parser *p, uint32_t first, const Name *key)
{
	for (uint32_t i = first; i < p->attrs.len; i++)
		if (p->attrs.data[i].name == key)
			return true;
	return false;
}

/* A mistake in it, or a key that was there before, is told by the function that reads entry by entry. */
bool parse_known_dict(Parser *p, uint32_t first)
{
	Lexer begin = p->lx;
	struct Failure failure = p->failure;
	uint32_t warnings = p->warnings.len;
	const IrAttr *dict = parse_dict(p);
	bool fine = dict != NULL;
	for (uint32_t i = 0; fine && i < dict->n; i++)
		fine = !has_key(p, first, dict->keys[i]);
	if (!fine) {
		p->lx = begin;
		p->failure = failure;
		p->warnings.len = warnings;
		return parse_dict_onto_attrs(p, first);
	}
	for (uint32_t i = 0; i < dict->n; i++)
		push_attr(p, dict->keys[i], dict->elems[i]);
	return true;
}

/* `extra({…})` is the dictionary in it, `visibility hidden` is #cir.visibility<hidden>; NULL: something else. */
static const IrAttr *bracketed_attr(Parser *p, const char *where)
{
	if (accept_word(p, STR("extra"))) {
		if (!accept(p, '(') || !at(p, '{'))
			return NULL;
		parse_older(p, where, "'#cir<extra(…)>'");
		const IrAttr *dict = parse_dict(p);
		return dict && accept(p, ')') ? dict : NULL;
	}
	int c = ir_enum_class_find(token_str(peek(p)));
	if (c < 0)
		return NULL;
	advance(p);
	int word = parse_enum_word(p, (EnumClass)c);
	return word >= 0 ? ir_attr_enum(p->m, (EnumClass)c, (unsigned)word) : NULL;
}

/* `#cir<…>`: how MLIR writes what has no angle brackets of its own. NULL: nothing was read. */
static const IrAttr *cir_bracket(Parser *p)
{
	Lexer saved = p->lx;
	struct Failure failure = p->failure;
	uint32_t warnings = p->warnings.len;
	advance(p);
	const IrAttr *a = accept(p, '<') ? bracketed_attr(p, saved.tok.at) : NULL;
	if (a && accept(p, '>'))
		return a;
	p->lx = saved;
	p->failure = failure;
	p->warnings.len = warnings;
	return NULL;
}

/* `#name`, `#cir.name<…>`, `#dialect.name…` */
static const IrAttr *prefixed_attr(Parser *p)
{
	Token t = peek(p);
	if (token_is(t, STR("#cir"))) {
		const IrAttr *a = cir_bracket(p);
		if (a)
			return a;
	}
	if (t.len > 5 && memcmp(t.at, "#cir.", 5) == 0) {
		advance(p);
		return parse_cir_attr(p, (Str){t.at + 5, t.len - 5}, t.at);
	}
	bool bracket = p->lx.cur < p->lx.end && *p->lx.cur == '<';
	if (!memchr(t.at, '.', t.len) && (!bracket || alias_exists(p, t)))
		return alias_attr(p);
	advance(p);
	return parse_opaque(p, t.at);
}

/* `distinct[0]<ATTR>` */
static const IrAttr *distinct_attr(Parser *p, const char *from)
{
	uint64_t number;
	if (!expect(p, '[') || !parse_uint(p, &number, "the number of a distinct attribute") ||
	    !expect(p, ']'))
		return NULL;
	if (at(p, '<'))
		return parse_opaque(p, from);
	expected(p, "'<'");
	return NULL;
}

static const IrAttr *word_attr(Parser *p)
{
	Token t = peek(p);
	if (accept_word(p, STR("unit")))
		return p->unit;
	if (at_loc(p)) {
		const LocInfo *l = parse_loc(p);
		return l ? ir_attr_intern(p->m, &(IrAttr){.kind = ATTR_LOC, .loc = l}) : NULL;
	}
	if (token_is(t, STR("dense")) || token_is(t, STR("array")) || token_is(t, STR("affine_map")) ||
	    token_is(t, STR("affine_set")) || token_is(t, STR("dense_resource")) ||
	    token_is(t, STR("sparse")) || token_is(t, STR("strided"))) {
		advance(p);
		return parse_opaque(p, t.at);
	}
	if (accept_word(p, STR("distinct")))
		return distinct_attr(p, t.at);
	if (at_type(p))
		return type_attr(p, parse_type(p));
	if (token_is(t, STR("true")) || token_is(t, STR("false"))) {
		advance(p);
		return ir_attr_flag(p->m, t.len == 4);
	}
	expected(p, "attribute value");
	return NULL;
}

static const IrAttr *attr_body(Parser *p)
{
	switch ((int)peek(p).kind) {
	case TOK_ATTR:
		return prefixed_attr(p);
	case TOK_INT:
	case TOK_FLOAT:
		return parse_number(p);
	case TOK_STRING:
		return string_attr(p);
	case TOK_SYMBOL:
		return symbol_attr(p);
	case '[':
		return parse_attr_list(p);
	case '{':
		return parse_dict(p);
	case TOK_TYPE:
		return type_attr(p, parse_type(p));
	case '(':
		return type_attr(p, parse_builtin_func_type(p));
	case TOK_WORD:
		return word_attr(p);
	default:
		expected(p, "attribute value");
		return NULL;
	}
}

const IrAttr *parse_attr(Parser *p)
{
	if (++p->depth > TYPE_DEPTH_MAX) {
		p->depth--;
		parse_too_deep(p, "attributes");
		return NULL;
	}
	const IrAttr *a = attr_body(p);
	p->depth--;
	if (a && a->depth > TYPE_DEPTH_MAX) { /* through aliases */
		parse_too_deep(p, "attributes");
		return NULL;
	}
	return a;
}

bool parse_type_follows(const Parser *p)
{
	Lexer ahead = p->lx;
	lex_next(&ahead);
	return token_begins_type(ahead.tok) && ahead.tok.kind != '(';
}
