/* Types: cir-reference section 2. */
#include "text/read/parser.h"

#include "ir/constraint.h"
#include "text/read/scan.h"

typedef IrType *TypeParser(Parser *p, Str keyword);

const char *parse_plain_brackets(const char *q, const char *end)
{
	unsigned depth = 0;
	for (;; q++) {
		q = scan_plain_type(q, end);
		if (q == end)
			return NULL;
		if (*q == '<')
			depth++;
		else if (*q != '>')
			return NULL;
		else if (q[-1] != '-' && --depth == 0) /* not an arrow */
			return q + 1;
	}
}

static IrType *pointer_to(Parser *p, IrType *pointee);

/* Address spaces: 2.2. */

static bool space_word(Parser *p, const IrAttr **out)
{
	Token t = peek(p);
	int word = t.kind == TOK_WORD ? ir_enum_find(ENUM_ADDRESS_SPACE, token_str(t)) : -1;
	if (word < 0)
		return parse_fail(p, t.at, "invalid addrspace kind keyword: %.*s", (int)t.len, t.at);
	*out = word == ADDRESS_SPACE_DEFAULT ? NULL : ir_attr_enum(p->m, ENUM_ADDRESS_SPACE, (unsigned)word);
	advance(p);
	return true;
}

static bool space_number(Parser *p, const IrAttr **out)
{
	uint64_t n;
	if (!parse_uint(p, &n, "address space number"))
		return false;
	*out = n ? ir_attr_i64(p->m, (int64_t)n) : NULL;
	return true;
}

bool parse_address_space(Parser *p, const IrAttr **out)
{
	if (accept_word(p, STR("target_address_space")))
		return expect(p, '(') && space_number(p, out) && expect(p, ')');
	if (accept_word(p, STR("lang_address_space")))
		return expect(p, '(') && space_word(p, out) && expect(p, ')');
	parse_older(p, peek(p).at, "'addrspace' for 'target_address_space' or 'lang_address_space'");
	if (!accept_word(p, STR("addrspace")))
		return expected(p, "keyword for addrspace kind");
	if (!expect(p, '('))
		return false;
	if (accept_word(p, STR("target")))
		return expect(p, '<') && space_number(p, out) && expect(p, '>') && expect(p, ')');
	if (at(p, TOK_WORD))
		return space_word(p, out) && expect(p, ')');
	if (at(p, TOK_INT)) /* of the first half of 2024 */
		return space_number(p, out) && expect(p, ')');
	return expected(p, "keyword for addrspace kind");
}

/* `cir.ptr <`, which few texts hold, and these below most of what is read: sixteen bytes at a time. */
static bool holds_earliest_pointer(const char *from, const char *end)
{
	static const char word[] = "cir.ptr";
	const ptrdiff_t len = sizeof word - 1;
	for (const char *q = from; (q = scan_to_pair(q, end, ' ', '<')) != end; q++)
		if (q - from >= len && memcmp(q - len, word, (size_t)len) == 0)
			return true;
	return false;
}

/* Neither in strings nor in comments. */
static bool has_earliest_pointers(const char *at, const char *end)
{
	static const char mark[] = "cir.ptr <";
	const size_t len = sizeof mark - 1;
	if (!holds_earliest_pointer(at, end))
		return false;
	for (bool quoted = false; (size_t)(end - at) >= len; at++) {
		if (*at == '"')
			quoted = !quoted;
		else if (quoted)
			at += *at == '\\';
		else if (at[0] == '/' && at[1] == '/')
			at = memchr(at, '\n', (size_t)(end - at));
		else if (!memcmp(at, mark, len))
			return true;
		if (!at)
			return false;
	}
	return false;
}

/* Pointers to i8 are of every era. Signatures, globals and members tell no more than that, but code below them
 * does: what it stands in front of writes `cir.ptr <T>` in the earliest. */
static IrType *builtin_pointee(Parser *p, IrType *t)
{
	if (!p->era_looked && has_earliest_pointers(p->lx.cur, p->lx.end)) {
		parse_older(p, p->lx.before_end, "'i8' in a text with 'cir.ptr <'");
		parse_in_era_a(p);
	}
	p->era_looked = true;
	return p->era_a ? parse_cir_type_of(p, t) : t;
}

/* Behind `<T` */
static IrType *pointer_to(Parser *p, IrType *pointee)
{
	const IrAttr *space = NULL;
	if (pointee && pointee->kind == TYPE_BUILTIN_INT && pointee->width == 8)
		pointee = builtin_pointee(p, pointee);
	if (!pointee || (accept(p, ',') && !parse_address_space(p, &space)) || !expect(p, '>'))
		return NULL;
	return ir_type_ptr_in(p->m, pointee, space);
}

static IrType *pointer_type(Parser *p, Str keyword)
{
	(void)keyword;
	return expect(p, '<') ? pointer_to(p, parse_type(p)) : NULL;
}

static IrType *int_type(Parser *p, Str keyword)
{
	(void)keyword;
	if (!expect(p, '<'))
		return NULL;
	bool is_signed = at_word(p, STR("s"));
	if (!is_signed && !at_word(p, STR("u"))) {
		expected(p, "'s' or 'u'");
		return NULL;
	}
	advance(p);
	uint64_t width;
	if (!expect(p, ','))
		return NULL;
	const char *where = peek(p).at;
	if (!parse_uint(p, &width, "integer width"))
		return NULL;
	if (width < 1 || width > 1u << 23) {
		parse_fail(p, where, "expected integer width to be from 1 up to %u", 1u << 23);
		return NULL;
	}
	bool bitint = false;
	if (accept(p, ',')) {
		if (!expect_word(p, STR("bitint")))
			return NULL;
		bitint = true;
	}
	return expect(p, '>') ? ir_type_int(p->m, (uint32_t)width, is_signed, bitint) : NULL;
}

/* `<T>` */
static IrType *wrapped(Parser *p)
{
	if (!expect(p, '<'))
		return NULL;
	IrType *t = parse_type(p);
	return t && expect(p, '>') ? t : NULL;
}

static IrType *complex_type(Parser *p, Str keyword)
{
	(void)keyword;
	IrType *t = wrapped(p);
	return t ? ir_type_complex(p->m, t) : NULL;
}

static IrType *long_double_type(Parser *p, Str keyword)
{
	(void)keyword;
	const char *where = peek(p).at;
	IrType *t = wrapped(p);
	if (t && t->kind != TYPE_DOUBLE && t->kind != TYPE_F80 && t->kind != TYPE_F128) {
		parse_fail(p, where, "invalid underlying type for long double");
		return NULL;
	}
	return t ? ir_type_long_double(p->m, t) : NULL;
}

/* `x` and what follows it: a word in `T x 4`; glued to the number in `4x`. */
static bool times(Parser *p)
{
	return expect_word(p, STR("x"));
}

static IrType *array_type(Parser *p, Str keyword)
{
	(void)keyword;
	if (!expect(p, '<'))
		return NULL;
	const char *where = peek(p).at;
	IrType *elem = parse_type(p);
	uint64_t count;
	if (!elem || !times(p) || !parse_uint(p, &count, "array size") || !expect(p, '>'))
		return NULL;
	return ir_type_array(p->m, parse_pointers_to_cir_type(p, where, elem), count);
}

/* `4` or `[4]` */
static bool vector_count(Parser *p, uint64_t *count, bool *scalable)
{
	*scalable = accept(p, '[');
	const char *where = peek(p).at;
	if (!parse_uint(p, count, "vector size"))
		return false;
	if (*count == 0 || *count > UINT32_MAX)
		return parse_fail(p, where, "the number of vector elements must be from 1 up to %u",
		                  UINT32_MAX);
	return !*scalable || expect(p, ']');
}

/* Behind `<T` */
static IrType *vector_of(Parser *p, IrType *elem)
{
	uint64_t count;
	bool scalable;
	if (!elem || !times(p) || !vector_count(p, &count, &scalable) || !expect(p, '>'))
		return NULL;
	return ir_type_vector(p->m, elem, count, scalable);
}

static IrType *vector_type(Parser *p, Str keyword)
{
	(void)keyword;
	if (!expect(p, '<'))
		return NULL;
	uint64_t count;
	bool scalable;
	IrType *elem;
	if (!at(p, TOK_INT) && !at(p, '[')) {
		parse_older(p, peek(p).at, "the element of a vector before the number");
		return vector_of(p, parse_type(p));
	}
	if (!vector_count(p, &count, &scalable) || !times(p) || !(elem = parse_type(p)) || !expect(p, '>'))
		return NULL;
	return ir_type_vector(p->m, elem, count, scalable);
}

/* `, single` and the like, which is printed for windows-msvc since late 2026. */
static bool inheritance(Parser *p, MsInheritance *out)
{
	*out = MS_UNTOLD;
	if (!accept(p, ','))
		return true;
	Token word = peek(p);
	*out = word.kind == TOK_WORD ? ir_inheritance_of_word(token_str(word)) : MS_UNTOLD;
	if (*out == MS_UNTOLD)
		return parse_fail(p, word.at, "expected 'single', 'multiple', 'virtual' or 'unspecified'");
	advance(p);
	return true;
}

/* `func in record`, `member in record, single` */
static IrType *member_pointer(Parser *p, Str keyword)
{
	if (!expect(p, '<'))
		return NULL;
	const char *where = peek(p).at;
	IrType *t = parse_type(p);
	if (!t || !expect_word(p, STR("in")))
		return NULL;
	const char *record_at = peek(p).at;
	IrType *record = parse_type(p);
	MsInheritance how;
	if (!record || !inheritance(p, &how) || !expect(p, '>'))
		return NULL;
	bool method = keyword.len == 6;
	if (record->kind != TYPE_RECORD)
		parse_fail(p, record_at, "expected a record type");
	else if (method && t->kind != TYPE_FUNC)
		parse_fail(p, where, "expected a function type");
	else if (!method && !type_is_value(t))
		parse_fail(p, where, "expected a type that a data member can have");
	else
		return ir_type_member_pointer(p->m, method ? TYPE_METHOD : TYPE_DATA_MEMBER, t, record, how);
	return NULL;
}

/* The words behind `!cir.` */
static const struct TypeWord {
	Str word;
	TypeParser *parse; /* or NULL: a type without parameters */
	TypeKind kind;
	const char *older; /* what it is then, or NULL */
} type_words[] = {
    {WORD("ptr"), pointer_type, TYPE_PTR},
    {WORD("bool"), NULL, TYPE_BOOL},
    {WORD("array"), array_type, TYPE_ARRAY},
    {WORD("struct"), parse_record_type, TYPE_RECORD},
    {WORD("record"), parse_record_type, TYPE_RECORD, "the type '!cir.record'"},
    {WORD("union"), parse_record_type, TYPE_RECORD},
    {WORD("int"), int_type, TYPE_INT},
    {WORD("vptr"), NULL, TYPE_VPTR},
    {WORD("double"), NULL, TYPE_DOUBLE},
    {WORD("float"), NULL, TYPE_FLOAT},
    {WORD("func"), parse_func_type, TYPE_FUNC},
    {WORD("void"), NULL, TYPE_VOID},
    {WORD("eh_token"), NULL, TYPE_EH_TOKEN},
    {WORD("catch_token"), NULL, TYPE_CATCH_TOKEN},
    {WORD("cleanup_token"), NULL, TYPE_CLEANUP_TOKEN},
    {WORD("exception_info"), NULL, TYPE_EH_TOKEN, "the type '!cir.exception_info'"},
    {WORD("exception"), NULL, TYPE_EH_TOKEN, "the type '!cir.exception'"},
    {WORD("eh.info"), NULL, TYPE_EH_TOKEN, "the type '!cir.eh.info'"},
    {WORD("vector"), vector_type, TYPE_VECTOR},
    {WORD("complex"), complex_type, TYPE_COMPLEX},
    {WORD("long_double"), long_double_type, TYPE_LONG_DOUBLE},
    {WORD("f16"), NULL, TYPE_HALF},
    {WORD("bf16"), NULL, TYPE_BF16},
    {WORD("f80"), NULL, TYPE_F80},
    {WORD("f128"), NULL, TYPE_F128},
    {WORD("fp32"), NULL, TYPE_FLOAT, "the type '!cir.fp32'"},
    {WORD("fp64"), NULL, TYPE_DOUBLE, "the type '!cir.fp64'"},
    {WORD("method"), member_pointer, TYPE_METHOD},
    {WORD("data_member"), member_pointer, TYPE_DATA_MEMBER},
    {WORD("bitfield"), parse_bitfield_type, TYPE_BITFIELD},
};

static const char *similar_type(Parser *p, Str word)
{
	Suggestion s = suggest_begin(word);
	for (unsigned i = 0; i < ARRAY_LEN(type_words); i++)
		if (!type_words[i].older)
			suggest_try(&s, type_words[i].word);
	return parse_did_you_mean(p, &s, "!cir.");
}

static IrType *cir_type(Parser *p, Str word, const char *begin)
{
	for (unsigned i = 0; i < ARRAY_LEN(type_words); i++) {
		const struct TypeWord *w = &type_words[i];
		if (!str_equal(w->word, word))
			continue;
		if (w->older)
			parse_older(p, begin, w->older);
		advance(p);
		return w->parse ? w->parse(p, word) : ir_type_simple(p->m, w->kind);
	}
	if (p->in_opaque)
		return parse_opaque_type(p, begin);
	const char *name = arena_printf(p->mem, "!cir.%.*s", (int)word.len, word.data);
	parse_unknown(p, begin, str_of(name),
	              arena_printf(p->mem, "unknown type '%s'%s", name, similar_type(p, word)));
	return NULL;
}

static bool starts_with(Token t, Str prefix)
{
	return t.len > prefix.len && memcmp(t.at, prefix.data, prefix.len) == 0;
}

static IrType *prefixed_type_body(Parser *p, Token t)
{
	if (starts_with(t, STR("!cir.")))
		return cir_type(p, (Str){t.at + 5, t.len - 5}, t.at);
	if (!memchr(t.at, '.', t.len) && (p->lx.cur == p->lx.end || *p->lx.cur != '<'))
		return alias_type(p);
	return parse_opaque_type(p, t.at);
}

/* What stands for a type there does not from here on. */
void parse_in_era_a(Parser *p)
{
	if (p->era_a)
		return;
	p->era_a = p->cache_era_a = true;
	p->cache = (SliceTable){0};
	p->recent_types = p->recent_dicts = (Recent){0};
}

/* Most types have been seen before: they are found by their text. */
static IrType *prefixed_type(Parser *p, Token t)
{
	const char *end = p->lx.cur;
	bool bracket = end < p->lx.end && *end == '<', era_a = p->era_a;
	bool plain = era_a == p->cache_era_a && !p->in_opaque;
	uint32_t told = p->ntold;
	const Slice *recent = bracket && plain ? recent_find(&p->recent_types, t.at, p->lx.end) : NULL;
	if (recent) {
		lex_seek(&p->lx, t.at + recent->len);
		return recent->u.ptr;
	}
	if (bracket)
		end = parse_plain_brackets(end, p->lx.end - end > CACHED_TEXT_MAX ? end + CACHED_TEXT_MAX
		                                                                  : p->lx.end);
	if (!end || !plain)
		return prefixed_type_body(p, t);
	uint32_t len = (uint32_t)(end - t.at), hash = hash_bytes(&p->m->names.key, t.at, len);
	Slice *s = slice_find(&p->cache, t.at, len, hash);
	if (s) {
		lex_seek(&p->lx, end);
	} else {
		IrType *type = prefixed_type_body(p, t);
		if (!type || p->lx.before_end != end || p->era_a != era_a || p->ntold != told)
			return type;
		s = slice_add(p->mem, &p->cache, t.at, len, hash);
		s->u.ptr = type;
	}
	if (bracket)
		recent_add(&p->recent_types, s);
	return s->u.ptr;
}

/* `<s, 17>` */
static bool integer_follows(const Parser *p)
{
	Lexer ahead = p->lx;
	lex_next(&ahead);
	bool sign = token_is(ahead.tok, STR("s")) || token_is(ahead.tok, STR("u"));
	lex_next(&ahead);
	return sign && ahead.tok.kind == ',';
}

/* A pointer without its `!cir.ptr`, an integer without its `!cir.int`; a vector without its `!cir.vector`, until 2024 */
static IrType *bare_type(Parser *p)
{
	if (integer_follows(p))
		return int_type(p, (Str){0});
	if (!expect(p, '<'))
		return NULL;
	IrType *t = parse_type(p);
	if (!t || !at_word(p, STR("x")))
		return pointer_to(p, t);
	parse_older(p, peek(p).at, "a vector without '!cir.vector'");
	return vector_of(p, t);
}

static IrType *type_body(Parser *p)
{
	Token t = peek(p);
	switch ((int)t.kind) {
	case TOK_TYPE:
		return prefixed_type(p, t);
	case TOK_WORD:
		if (!starts_with(t, STR("cir."))) /* the earliest era writes no '!' */
			return parse_builtin_type(p);
		parse_older(p, t.at, "a type without '!'");
		parse_in_era_a(p);
		return cir_type(p, (Str){t.at + 4, t.len - 4}, t.at);
	case '<':
		return bare_type(p);
	case '(':
		return parse_bare_func_type(p);
	default:
		expected(p, "type");
		return NULL;
	}
}

IrType *parse_type(Parser *p)
{
	if (++p->depth > TYPE_DEPTH_MAX) {
		p->depth--;
		parse_too_deep(p, "types");
		return NULL;
	}
	IrType *t = type_body(p);
	p->depth--;
	if (t && t->depth > TYPE_DEPTH_MAX) { /* through aliases */
		parse_too_deep(p, "types");
		return NULL;
	}
	return t;
}

bool token_begins_type(Token t)
{
	if (t.kind == TOK_TYPE || t.kind == '(')
		return true;
	return t.kind == TOK_WORD && (parse_is_builtin_type(token_str(t)) || starts_with(t, STR("cir.")));
}
