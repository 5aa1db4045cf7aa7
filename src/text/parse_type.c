/* Types: cir-reference section 2; records are in parse_record.c. */
#include "text/parser.h"

#include "text/scan.h"

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

static IrType *pointer_body(Parser *p);

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
	if (!accept_word(p, STR("addrspace")))
		return expected(p, "keyword for addrspace kind");
	if (!expect(p, '('))
		return false;
	if (accept_word(p, STR("target")))
		return expect(p, '<') && space_number(p, out) && expect(p, '>') && expect(p, ')');
	if (at(p, TOK_WORD))
		return space_word(p, out) && expect(p, ')');
	return expected(p, "keyword for addrspace kind");
}

static IrType *pointer_body(Parser *p)
{
	if (!expect(p, '<'))
		return NULL;
	IrType *pointee = parse_type(p);
	const IrAttr *space = NULL;
	if (!pointee || (accept(p, ',') && !parse_address_space(p, &space)) || !expect(p, '>'))
		return NULL;
	return ir_type_ptr_in(p->m, pointee, space);
}

static IrType *pointer_type(Parser *p, Str keyword)
{
	(void)keyword;
	return pointer_body(p);
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
	IrType *elem = parse_type(p);
	uint64_t count;
	if (!elem || !times(p) || !parse_uint(p, &count, "array size") || !expect(p, '>'))
		return NULL;
	return ir_type_array(p->m, parse_pointers_to_cir_type(p, elem), count);
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

static IrType *vector_type(Parser *p, Str keyword)
{
	(void)keyword;
	if (!expect(p, '<'))
		return NULL;
	uint64_t count;
	bool scalable;
	IrType *elem;
	if (at(p, TOK_INT) || at(p, '[')) {
		if (!vector_count(p, &count, &scalable) || !times(p) || !(elem = parse_type(p)))
			return NULL;
	} else if (!(elem = parse_type(p)) || !times(p) || !vector_count(p, &count, &scalable)) {
		return NULL;
	}
	return expect(p, '>') ? ir_type_vector(p->m, elem, count, scalable) : NULL;
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
	else
		return ir_type_member_pointer(p->m, method ? TYPE_METHOD : TYPE_DATA_MEMBER, t, record, how);
	return NULL;
}

static IrType *bitfield_type(Parser *p, Str keyword);

/* Function types: 2.6. */

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
			return parse_fail(p, where,
			                  "variadic arguments must be in the end of the argument list");
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
static IrType *func_of(Parser *p, Params *params, IrType *result)
{
	for (uint32_t i = 0; i < params->types.len; i++)
		params->types.data[i] = parse_pointers_to_cir_type(p, params->types.data[i]);
	if (result)
		result = parse_pointers_to_cir_type(p, result);
	return ir_type_func(p->m, params->types.data, params->types.len, result, params->variadic);
}

static IrType *func_type(Parser *p, Str keyword)
{
	(void)keyword;
	if (!expect(p, '<'))
		return NULL;
	IrType *result = NULL;
	if (!at(p, '(') && !(result = parse_type(p))) /* the incubator writes the result first */
		return NULL;
	Params params;
	if (!parameter_types(p, &params))
		return NULL;
	if (!result && accept(p, TOK_ARROW) && !(result = result_type(p)))
		return NULL;
	return expect(p, '>') ? func_of(p, &params, result) : NULL;
}

/* A function type without its `!cir.func`: `(T) -> R` */
static IrType *bare_func_type(Parser *p)
{
	Params params;
	IrType *result = NULL;
	if (!parameter_types(p, &params) || (accept(p, TOK_ARROW) && !(result = result_type(p))))
		return NULL;
	return func_of(p, &params, result);
}

/* The words behind `!cir.` */
static const struct TypeWord {
	Str word;
	TypeParser *parse; /* or NULL: a type without parameters */
	TypeKind kind;
} type_words[] = {
    {WORD("ptr"), pointer_type, TYPE_PTR},
    {WORD("bool"), NULL, TYPE_BOOL},
    {WORD("array"), array_type, TYPE_ARRAY},
    {WORD("struct"), parse_record_type, TYPE_RECORD},
    {WORD("record"), parse_record_type, TYPE_RECORD},
    {WORD("union"), parse_record_type, TYPE_RECORD},
    {WORD("int"), int_type, TYPE_INT},
    {WORD("vptr"), NULL, TYPE_VPTR},
    {WORD("double"), NULL, TYPE_DOUBLE},
    {WORD("float"), NULL, TYPE_FLOAT},
    {WORD("func"), func_type, TYPE_FUNC},
    {WORD("void"), NULL, TYPE_VOID},
    {WORD("eh_token"), NULL, TYPE_EH_TOKEN},
    {WORD("catch_token"), NULL, TYPE_CATCH_TOKEN},
    {WORD("cleanup_token"), NULL, TYPE_CLEANUP_TOKEN},
    {WORD("exception_info"), NULL, TYPE_EH_TOKEN},
    {WORD("eh.info"), NULL, TYPE_EH_TOKEN},
    {WORD("vector"), vector_type, TYPE_VECTOR},
    {WORD("complex"), complex_type, TYPE_COMPLEX},
    {WORD("long_double"), long_double_type, TYPE_LONG_DOUBLE},
    {WORD("f16"), NULL, TYPE_HALF},
    {WORD("bf16"), NULL, TYPE_BF16},
    {WORD("f80"), NULL, TYPE_F80},
    {WORD("f128"), NULL, TYPE_F128},
    {WORD("fp32"), NULL, TYPE_FLOAT},
    {WORD("fp64"), NULL, TYPE_DOUBLE},
    {WORD("method"), member_pointer, TYPE_METHOD},
    {WORD("data_member"), member_pointer, TYPE_DATA_MEMBER},
    {WORD("bitfield"), bitfield_type, TYPE_BITFIELD},
};

static IrType *cir_type(Parser *p, Str word, const char *begin)
{
	for (unsigned i = 0; i < ARRAY_LEN(type_words); i++) {
		const struct TypeWord *w = &type_words[i];
		if (!str_equal(w->word, word))
			continue;
		advance(p);
		return w->parse ? w->parse(p, word) : ir_type_simple(p->m, w->kind);
	}
	if (p->in_opaque)
		return parse_opaque_type(p, begin);
	const char *name = arena_printf(p->mem, "!cir.%.*s", (int)word.len, word.data);
	parse_unknown(p, begin, str_of(name), arena_printf(p->mem, "unknown type '%s'", name));
	return NULL;
}

/* `!cir.bitfield<STORAGE, [#cir.bitfield_decl<T, W, unnamed>, …]>`: 2.3. */

typedef struct BitfieldDecls {
	VEC(IrType *) types;
	VEC(uint32_t) widths;
	VEC(uint8_t) unnamed;
} BitfieldDecls;

static bool bitfield_decl(Parser *p, BitfieldDecls *d)
{
	Token t = peek(p);
	if (t.kind != TOK_ATTR || !token_is(t, STR("#cir.bitfield_decl")))
		return expected(p, "'#cir.bitfield_decl'");
	advance(p);
	uint64_t width;
	IrType *type;
	if (!expect(p, '<') || !(type = parse_type(p)) || !expect(p, ',') ||
	    !parse_uint(p, &width, "bit-field width"))
		return false;
	if (!ir_is_int(type) && type->kind != TYPE_BOOL)
		return parse_fail(p, t.at,
		                  "a bit-field is declared with an integer or boolean type, got '%s'",
		                  ir_type_str(p->mem, type));
	bool unnamed = false;
	if (accept(p, ',')) {
		if (!expect_word(p, STR("unnamed")))
			return false;
		unnamed = true;
	}
	if (width == 0 && !unnamed)
		return parse_fail(p, t.at, "zero-width bit-field cannot be named");
	if (width > 1u << 23)
		return parse_fail(p, t.at, "bit-field is too wide");
	vec_push(p->mem, &d->types, type);
	vec_push(p->mem, &d->widths, (uint32_t)width);
	vec_push(p->mem, &d->unnamed, unnamed);
	return expect(p, '>');
}

static bool check_bitfield(Parser *p, const char *where, const IrType *storage, const BitfieldDecls *d)
{
	if (!d->types.len)
		return parse_fail(p, where, "bit-field member must hold at least one bit-field");
	if (!storage) {
		if (d->types.len != 1 || d->widths.data[0] != 0)
			return parse_fail(
			    p, where,
			    "a bit-field member without storage must hold a single zero-width bit-field");
		return true;
	}
	if (storage->kind == TYPE_BITFIELD)
		return parse_fail(p, where,
		                  "bit-field access unit storage cannot itself be a bit-field type");
	if (storage->kind == TYPE_VOID || storage->kind == TYPE_FUNC || ir_is_token(storage))
		return parse_fail(p, where, "bit-field access unit storage must be sized, got '%s'",
		                  ir_type_str(p->mem, storage));
	for (uint32_t i = 0; i < d->widths.len; i++)
		if (d->widths.data[i] == 0)
			return parse_fail(p, where, "a zero-width bit-field cannot occupy an access unit");
	return true;
}

static IrType *bitfield_type(Parser *p, Str keyword)
{
	(void)keyword;
	if (!expect(p, '<'))
		return NULL;
	const char *where = peek(p).at;
	IrType *storage = NULL;
	if (!at(p, '[') && (!(storage = parse_type(p)) || !expect(p, ',')))
		return NULL;
	BitfieldDecls d = {0};
	if (!expect(p, '['))
		return NULL;
	while (!at(p, ']')) {
		if (!bitfield_decl(p, &d))
			return NULL;
		if (!accept(p, ','))
			break;
	}
	if (!expect(p, ']') || !expect(p, '>') || !check_bitfield(p, where, storage, &d))
		return NULL;
	return ir_type_bitfield(p->m, storage, d.types.data, d.widths.data, d.unnamed.data, d.types.len);
}

/* Builtin types. */

static bool builtin_int(Str w, uint32_t *width)
{
	if (w.len < 2 || w.len > 8 || w.data[0] != 'i')
		return false;
	*width = 0;
	for (size_t i = 1; i < w.len; i++) {
		if (w.data[i] < '0' || w.data[i] > '9')
			return false;
		*width = *width * 10 + (uint32_t)(w.data[i] - '0');
	}
	return *width > 0 && *width <= 1u << 23;
}

static const struct {
	const char *word;
	TypeKind era_a; /* what the earliest files mean by it */
} builtin_floats[] = {
    {"f32", TYPE_FLOAT}, {"f64", TYPE_DOUBLE}, {"f16", TYPE_HALF},
    {"bf16", TYPE_BF16}, {"f80", TYPE_F80},    {"f128", TYPE_F128},
};

static const char *const shaped[] = {"vector", "tensor", "memref", "tuple", "complex"};

static IrType *builtin_type(Parser *p)
{
	Token t = peek(p);
	Str w = token_str(t);
	uint32_t width;
	if (builtin_int(w, &width)) {
		advance(p);
		if (!p->era_a)
			return ir_type_builtin_int(p->m, width);
		return width == 1 ? ir_type_simple(p->m, TYPE_BOOL) : ir_type_int(p->m, width, true, false);
	}
	for (unsigned i = 0; i < ARRAY_LEN(builtin_floats); i++) {
		if (!str_is(w, builtin_floats[i].word))
			continue;
		advance(p);
		return p->era_a ? ir_type_simple(p->m, builtin_floats[i].era_a)
		                : ir_type_builtin_float(p->m, builtin_floats[i].word);
	}
	if (accept_word(p, STR("index")))
		return ir_type_simple(p->m, TYPE_INDEX);
	if (accept_word(p, STR("none")))
		return ir_type_simple(p->m, TYPE_NONE);
	if (accept_word(p, STR("token")))
		return ir_type_simple(p->m, TYPE_TOKEN);
	for (unsigned i = 0; i < ARRAY_LEN(shaped); i++)
		if (str_is(w, shaped[i]))
			return parse_opaque_type(p, t.at);
	expected(p, "non-function type");
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

/* What stands for a type there does not from here on. Real modules get here, too: clang declares
 * personalities with an i32. */
void parse_in_era_a(Parser *p)
{
	if (p->era_a)
		return;
	p->era_a = p->cache_era_a = true;
	p->cache = p->seen_lines = p->seen_forms = (SliceTable){0};
	p->line.from = NULL;
	p->line.seen = NULL;
	p->recent_types = p->recent_dicts = (Recent){0};
}

IrType *parse_known_type(const Parser *p, Str text)
{
	uint32_t len = (uint32_t)text.len;
	const Slice *s = slice_find(&p->cache, text.data, len, hash_bytes(&p->m->names.key, text.data, len));
	IrType *type = s ? s->u.ptr : NULL;
	return type && type->depth <= TYPE_DEPTH_MAX ? type : NULL;
}

/* Most types have been seen before: they are found by their text. */
static IrType *prefixed_type(Parser *p, Token t)
{
	const char *end = p->lx.cur;
	bool bracket = end < p->lx.end && *end == '<', era_a = p->era_a;
	bool plain = era_a == p->cache_era_a && !p->in_opaque;
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
		if (!type || p->lx.before_end != end || p->era_a != era_a)
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

static IrType *type_body(Parser *p)
{
	Token t = peek(p);
	switch ((int)t.kind) {
	case TOK_TYPE:
		return prefixed_type(p, t);
	case TOK_WORD:
		if (!starts_with(t, STR("cir."))) /* the earliest era writes no '!' */
			return builtin_type(p);
		parse_in_era_a(p);
		return cir_type(p, (Str){t.at + 4, t.len - 4}, t.at);
	case '<': /* a pointer without its `!cir.ptr`, or an integer without its `!cir.int` */
		return integer_follows(p) ? int_type(p, (Str){0}) : pointer_body(p);
	case '(':
		return bare_func_type(p);
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

/* Lists in the types of ops: 1.5. */

static bool list_element(Parser *p, TypeList *out)
{
	if (accept(p, TOK_ELLIPSIS)) {
		out->variadic = true;
		return true;
	}
	const char *place = peek(p).at;
	IrType *t = parse_type(p);
	if (!t)
		return false;
	vec_push(p->mem, &out->types, t);
	vec_push(p->mem, &out->places, place);
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
	out->types.len = out->places.len = out->dicts.len = 0;
	out->variadic = false;
	if (!expect(p, '('))
		return false;
	while (!at(p, ')')) {
		if (out->variadic)
			return parse_fail(p, peek(p).at,
			                  "variadic arguments must be in the end of the argument list");
		if (!list_element(p, out))
			return false;
		if (!accept(p, ','))
			break;
	}
	return expect(p, ')');
}

bool parse_result_list(Parser *p, TypeList *out)
{
	out->types.len = out->places.len = out->dicts.len = 0;
	out->variadic = false;
	if (at(p, '(')) {
		if (!parse_type_list(p, out))
			return false;
	} else {
		const char *place = peek(p).at;
		IrType *t = parse_type(p); /* a brace behind it belongs to the op */
		if (!t)
			return false;
		vec_push(p->mem, &out->types, t);
		vec_push(p->mem, &out->places, place);
	}
	if (out->types.len == 1 && out->types.data[0]->kind == TYPE_VOID)
		out->types.len = out->dicts.len = 0;
	return true;
}

bool token_begins_type(Token t)
{
	uint32_t width;
	if (t.kind == TOK_TYPE || t.kind == '(')
		return true;
	if (t.kind != TOK_WORD)
		return false;
	Str w = token_str(t);
	if (builtin_int(w, &width) || str_equal(w, STR("index")) || str_equal(w, STR("none")) ||
	    str_equal(w, STR("token")))
		return true;
	for (unsigned i = 0; i < ARRAY_LEN(builtin_floats); i++)
		if (str_is(w, builtin_floats[i].word))
			return true;
	for (unsigned i = 0; i < ARRAY_LEN(shaped); i++)
		if (str_is(w, shaped[i]))
			return true;
	return starts_with(t, STR("cir."));
}
