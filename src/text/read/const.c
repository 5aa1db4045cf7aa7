/* The attributes `#cir.…`: constants (cir-reference 3.1), enumerations, rows of
 * attrs.def; the rest is kept as text. */
#include "text/read/parser.h"

/* `: T`, which elements may lack; NULL after a failure. *where: what a wrong one is reported at */
static IrType *constant_type(Parser *p, const char **where)
{
	bool written = accept(p, ':');
	*where = peek(p).at;
	if (written)
		return parse_type(p);
	IrType *elided = parse_elided_type(p);
	if (!elided)
		expected(p, "':'");
	return elided;
}

static const IrAttr *typed(Parser *p, IrAttr *key)
{
	const char *where;
	if (!key->type)
		key->type = constant_type(p, &where);
	return key->type ? ir_attr_intern(p->m, key) : NULL;
}

static bool is_empty_array(const IrType *t)
{
	return t && t->kind == TYPE_ARRAY && t->count == 0;
}

static bool is_inactive(const IrAttr *a)
{
	return a->kind == ATTR_OPAQUE && str_begins_with(name_str(a->name), STR("#cir.inactive_field"));
}

/* The incubator had an element for every member of a union: the one that counts, and for the others no value. */
static void drop_inactive(IrAttr *record)
{
	const IrType *t = record->type;
	if (!t || t->kind != TYPE_RECORD || t->record_kind != RECORD_UNION || record->n != t->nmembers)
		return;
	uint32_t n = 0;
	for (uint32_t i = 0; i < t->nmembers; i++)
		if (!is_inactive(record->elems[i]))
			record->elems[n++] = record->elems[i];
	record->n = n;
}

/* For a few weeks of 2026 a bit-field of no width had an element, an array of nothing. */
static void drop_zero_widths(IrAttr *record)
{
	const IrType *t = record->type;
	if (!t || t->kind != TYPE_RECORD || record->n != t->nmembers)
		return;
	uint32_t n = 0;
	for (uint32_t i = 0; i < t->nmembers; i++)
		if (!ir_is_zero_width(t->members[i]) || !is_empty_array(record->elems[i]->type))
			record->elems[n++] = record->elems[i];
	record->n = n;
}

/* Behind a `: T` that stands inside the brackets (older eras), the outer one is optional. */
static const IrAttr *typed_again(Parser *p, IrAttr *key, IrType *inner)
{
	bool ok;
	const char *where = peek(p).at;
	uint32_t n = key->n;
	key->type = parse_colon_type(p, &ok);
	if (!ok)
		return NULL;
	if (!key->type && (!inner || key->bits & 1)) /* inner may be that of a string, without the zeros */
		key->type = parse_elided_type(p);
	if (!key->type && inner) {
		if (key->name)
			parse_older(p, p->lx.before_end, "a string without its type after it");
		key->type = inner;
	}
	if (key->kind == ATTR_CONST_RECORD) {
		drop_inactive(key);
		drop_zero_widths(key);
	}
	if (key->n != n)
		parse_older(p, where, "elements for empty members");
	return typed(p, key);
}

static const IrAttr *int_attr(Parser *p)
{
	if (!expect(p, '<'))
		return NULL;
	Token t = peek(p);
	if (t.kind != TOK_INT) {
		expected(p, "integer value");
		return NULL;
	}
	advance(p);
	if (!expect(p, '>'))
		return NULL;
	const char *where;
	IrType *type = constant_type(p, &where);
	if (!type)
		return NULL;
	if (type->kind != TYPE_INT) {
		parse_fail(p, where, "expected an integer type, got '%s'", ir_type_str(p->mem, type));
		return NULL;
	}
	return parse_int_value(p, t, type);
}

/* The value as it is spelled: `1.5`, `0x7FC00000`, `inf`, `-nan` */
static bool float_text(Parser *p, Str *out)
{
	const char *begin = peek(p).at;
	bool sign = at(p, '-') || at(p, '+');
	if (sign)
		advance(p);
	if (sign && peek(p).at != begin + 1)
		return expected_here(p, "floating point value right after its sign");
	if (!at(p, TOK_FLOAT) && !at(p, TOK_INT) && !at_word(p, STR("inf")) && !at_word(p, STR("nan")))
		return expected(p, "floating point value");
	advance(p);
	*out = (Str){begin, (size_t)(p->lx.before_end - begin)};
	return true;
}

static const IrAttr *fp_attr(Parser *p)
{
	Str text;
	if (!expect(p, '<') || !float_text(p, &text) || !expect(p, '>'))
		return NULL;
	const char *where;
	IrType *type = constant_type(p, &where);
	if (type && !ir_is_float(type)) {
		parse_fail(p, where, "expected a floating point type, got '%s'", ir_type_str(p->mem, type));
		return NULL;
	}
	IrAttr key = {.kind = ATTR_FLOAT, .type = type, .name = ir_name(p->m, text)};
	return type ? ir_attr_intern(p->m, &key) : NULL;
}

static bool wrong_type(Parser *p, const char *where, const IrType *t, const char *expected)
{
	return parse_fail(p, where, "constant must have %s, found '%s'", expected, ir_type_str(p->mem, t));
}

static const IrAttr *bool_attr(Parser *p)
{
	if (!expect(p, '<'))
		return NULL;
	bool value = at_word(p, STR("true"));
	if (!value && !at_word(p, STR("false"))) {
		expected(p, "'true' or 'false'");
		return NULL;
	}
	advance(p);
	if (!expect(p, '>'))
		return NULL;
	const char *where = peek(p).at;
	bool ok;
	IrType *type = parse_colon_type(p, &ok);
	if (type && type->kind != TYPE_BOOL)
		return wrong_type(p, where, type, "type '!cir.bool'"), NULL;
	return ok ? ir_attr_bool(p->m, value) : NULL;
}

static const IrAttr *pointer_of_type(Parser *p, const char *where, IrType *type, uint64_t bits)
{
	if (type->kind != TYPE_PTR && type->kind != TYPE_VPTR) {
		wrong_type(p, where, type, "a pointer type");
		return NULL;
	}
	return ir_attr_intern(p->m, &(IrAttr){.kind = ATTR_PTR, .type = type, .bits = bits});
}

static const IrAttr *pointer_value(Parser *p, uint64_t bits)
{
	const char *where = peek(p).at, *behind;
	IrType *type = constant_type(p, &behind);
	return type ? pointer_of_type(p, where, type, bits) : NULL;
}

const IrAttr *parse_null(Parser *p, const char *where, IrType *type)
{
	return pointer_of_type(p, where, type, 0);
}

static const IrAttr *ptr_attr(Parser *p)
{
	uint64_t bits = 0;
	if (!expect(p, '<'))
		return NULL;
	if (!accept_word(p, STR("null"))) {
		Token t = peek(p);
		if (t.kind != TOK_INT) {
			expected(p, "'null' or an address");
			return NULL;
		}
		const IrAttr *value = parse_number(p);
		if (!value)
			return NULL;
		int64_t n;
		if (value->kind != ATTR_INT || !ir_attr_get_i64(value, &n))
			return (void)parse_fail(p, t.at, "integer value too large for the given type"), NULL;
		bits = (uint64_t)n;
	}
	return expect(p, '>') ? pointer_value(p, bits) : NULL;
}

static const IrAttr *null_attr(Parser *p)
{
	return pointer_value(p, 0);
}

static const IrAttr *plain_typed(Parser *p, AttrKind kind)
{
	IrAttr key = {.kind = kind};
	return typed(p, &key);
}

static const IrAttr *zero_attr(Parser *p)
{
	return plain_typed(p, ATTR_ZERO);
}

static const IrAttr *undef_attr(Parser *p)
{
	return plain_typed(p, ATTR_UNDEF);
}

static const IrAttr *poison_attr(Parser *p)
{
	return plain_typed(p, ATTR_POISON);
}

static bool trailing_zeros(Parser *p, IrAttr *key)
{
	if (!accept(p, ','))
		return true;
	if (!expect_word(p, STR("trailing_zeros")))
		return false;
	key->bits = 1;
	return true;
}

static const IrAttr *checked(Parser *p, const char *where, const IrAttr *a)
{
	return a && check_constant(p, where, a) ? a : NULL;
}

static const IrAttr *string_array(Parser *p, const char *where)
{
	Str s;
	bool ok;
	if (!parse_string(p, &s))
		return NULL;
	if (!at(p, ':')) {
		expected(p, "type declaration for string literal");
		return NULL;
	}
	IrAttr key = {.kind = ATTR_CONST_ARRAY, .name = ir_name(p->m, s)};
	key.elem_type = parse_colon_type(p, &ok);
	if (!ok || !trailing_zeros(p, &key) || !expect(p, '>'))
		return NULL;
	return checked(p, where, typed_again(p, &key, key.elem_type));
}

/* The earliest eras write builtin values, `1.5 : f32`. */
static void cir_elements(Parser *p, const char *at, uint32_t base)
{
	for (uint32_t i = base; i < p->elems.len; i++)
		p->elems.data[i] = parse_cir_constant(p, at, p->elems.data[i]);
}

/* `a, b]` of the constant that begins at `from` */
static bool parse_aggregate(Parser *p, const char *from, int close)
{
	Aggregate a = {.outer = p->inside, .from = from};
	const IrAttr *element = p->unit;
	p->inside = &a;
	while (!at(p, close) && (element = parse_attr(p))) {
		vec_push(p->mem, &p->elems, element);
		a.index++;
		if (!accept(p, ','))
			break;
	}
	p->inside = a.outer;
	return element && expect(p, close);
}

/* The incubator wrote the type inside for a while. */
static IrType *type_inside(Parser *p, bool *ok)
{
	if (at(p, ':'))
		parse_older(p, peek(p).at, "the type of a constant inside of the brackets");
	return parse_colon_type(p, ok);
}

static const IrAttr *element_array(Parser *p, const char *where)
{
	uint32_t base = p->elems.len;
	IrAttr key = {.kind = ATTR_CONST_ARRAY};
	IrType *inner = NULL;
	bool ok = expect(p, '[') && parse_aggregate(p, where, ']');
	if (ok)
		inner = type_inside(p, &ok);
	ok = ok && trailing_zeros(p, &key) && expect(p, '>');
	cir_elements(p, where, base);
	key.elems = p->elems.data + base;
	key.n = p->elems.len - base;
	const IrAttr *a = ok ? checked(p, where, typed_again(p, &key, inner)) : NULL;
	p->elems.len = base;
	return a;
}

static const IrAttr *array_attr(Parser *p)
{
	if (!expect(p, '<'))
		return NULL;
	const char *where = peek(p).at;
	return at(p, TOK_STRING) ? string_array(p, where) : element_array(p, where);
}

/* `<<{e, …}>>`: for a while of 2023 virtual tables and type infos held a `#cir.const_struct<{e, …}>`. */
static bool held_record(Parser *p, AttrKind kind)
{
	const char *where = peek(p).at;
	if ((kind != ATTR_VTABLE && kind != ATTR_TYPEINFO) || !accept(p, '<'))
		return false;
	parse_older(p, where, "elements in two pairs of angle brackets");
	return true;
}

/* `<{e, …}> : R`, `<[e, …]> : V`, `<re, im> : C` */
static const IrAttr *aggregate(Parser *p, AttrKind kind, int open, int close)
{
	if (!expect(p, '<'))
		return NULL;
	bool held = held_record(p, kind);
	const char *where = peek(p).at;
	if (kind == ATTR_TYPEINFO && at(p, '[')) { /* of the spring of 2023 */
		parse_older(p, where, "elements of a type info in square brackets");
		open = '[';
		close = ']';
	}
	uint32_t base = p->elems.len;
	IrType *inner = NULL;
	bool ok = !open || expect(p, open);
	ok = ok && parse_aggregate(p, where, close);
	ok = ok && (!held || expect(p, '>'));
	if (ok && open) {
		inner = type_inside(p, &ok);
		ok = ok && expect(p, '>');
	}
	cir_elements(p, where, base);
	IrAttr key = {.kind = kind, .elems = p->elems.data + base, .n = p->elems.len - base};
	const IrAttr *a = ok ? checked(p, where, typed_again(p, &key, inner)) : NULL;
	p->elems.len = base;
	return a;
}

static const IrAttr *record_attr(Parser *p)
{
	return aggregate(p, ATTR_CONST_RECORD, '{', '}');
}

static const IrAttr *vector_attr(Parser *p)
{
	return aggregate(p, ATTR_CONST_VECTOR, '[', ']');
}

static const IrAttr *complex_attr(Parser *p)
{
	return aggregate(p, ATTR_CONST_COMPLEX, 0, '>');
}

static const IrAttr *vtable_attr(Parser *p)
{
	return aggregate(p, ATTR_VTABLE, '{', '}');
}

static const IrAttr *typeinfo_attr(Parser *p)
{
	return aggregate(p, ATTR_TYPEINFO, '{', '}');
}

static bool view_type(Parser *p, const char *where, const IrType *t)
{
	if (t->kind == TYPE_PTR || t->kind == TYPE_VPTR || t->kind == TYPE_INT)
		return true;
	return wrong_type(p, where, t, "a pointer or integer type");
}

/* `, address_point true`: of a vtable, so that nothing but its own group is reached from there */
static bool address_point(Parser *p, IrAttr *view)
{
	if (!accept(p, ','))
		return true;
	if (!expect_word(p, STR("address_point")))
		return false;
	if (accept_word(p, STR("true")))
		view->bits = 1;
	else if (!expect_word(p, STR("false")))
		return false;
	return true;
}

static const IrAttr *view_attr(Parser *p)
{
	if (!expect(p, '<'))
		return NULL;
	if (at_word(p, STR("type"))) { /* a slip of upstream's own documentation */
		parse_older(p, peek(p).at, "'type' before a symbol");
		advance(p);
	}
	IrAttr key = {.kind = ATTR_GLOBAL_VIEW, .name = parse_symbol(p)};
	if (!key.name)
		return NULL;
	uint32_t base = p->elems.len;
	bool ok = true;
	if (accept(p, ','))
		ok = expect(p, '[') && parse_elements(p, ']') && address_point(p, &key);
	for (uint32_t i = base; ok && i < p->elems.len; i++)
		if (p->elems.data[i]->kind != ATTR_INT)
			ok = parse_fail(p, peek(p).at, "expected integer indices");
	ok = ok && expect(p, '>');
	key.elems = p->elems.data + base;
	key.n = p->elems.len - base;
	const char *where = peek(p).at;
	const IrAttr *a = ok ? typed(p, &key) : NULL;
	p->elems.len = base;
	return a && view_type(p, where, a->type) ? a : NULL;
}

static bool parse_offset(Parser *p, uint64_t *out)
{
	Token t = peek(p);
	if (t.kind != TOK_INT)
		return expected(p, "integer value");
	const IrAttr *a = parse_number(p);
	int64_t v;
	if (!a)
		return false;
	if (!ir_attr_get_i64(a, &v))
		return parse_fail(p, t.at, "integer value too large for the given type");
	*out = (uint64_t)v;
	return true;
}

static const IrAttr *offset_attr(Parser *p)
{
	IrAttr key = {.kind = ATTR_GLOBAL_OFFSET};
	if (!expect(p, '<') || !(key.name = parse_symbol(p)) || !expect(p, ',') ||
	    !parse_offset(p, &key.bits) || !expect(p, '>'))
		return NULL;
	return typed(p, &key);
}

/* `<@to, @from>`, `<@to, @from, 8>` */
static const IrAttr *distance_attr(Parser *p)
{
	IrAttr key = {.kind = ATTR_DISTANCE, .n = 2};
	Name *to, *from;
	if (!expect(p, '<') || !(to = parse_symbol(p)) || !expect(p, ',') || !(from = parse_symbol(p)) ||
	    (accept(p, ',') && !parse_offset(p, &key.bits)) || !expect(p, '>'))
		return NULL;
	key.elems = (const IrAttr *[]){ir_attr_symbol(p->m, to), ir_attr_symbol(p->m, from)};
	return typed(p, &key);
}

static const IrAttr *image_relative_attr(Parser *p)
{
	IrAttr key = {.kind = ATTR_IMAGE_REL};
	if (!expect(p, '<') || !(key.name = parse_symbol(p)) || !expect(p, '>'))
		return NULL;
	return typed(p, &key);
}

/* `<null>`, `<[0, 1]>`, older `<1>` */
static const IrAttr *data_member_attr(Parser *p)
{
	IrAttr key = {.kind = ATTR_DATA_MEMBER};
	uint32_t base = p->elems.len;
	if (!expect(p, '<'))
		return NULL;
	const char *where = peek(p).at;
	bool ok = true;
	if (accept(p, '[')) {
		ok = parse_elements(p, ']') &&
		     (p->elems.len != base || parse_fail(p, where, "path must not be empty"));
	} else if (!accept_word(p, STR("null"))) {
		uint64_t index = 0;
		parse_older(p, peek(p).at, "a member without brackets");
		ok = parse_offset(p, &index);
		if (ok)
			vec_push(p->mem, &p->elems, ir_attr_i64(p->m, (int64_t)index));
	}
	ok = ok && expect(p, '>');
	key.elems = p->elems.data + base;
	key.n = p->elems.len - base;
	const IrAttr *a = ok ? checked(p, where, typed(p, &key)) : NULL;
	p->elems.len = base;
	return a;
}

/* #cir.data_member_offset<8> */
static const IrAttr *data_member_offset_attr(Parser *p)
{
	IrAttr key = {.kind = ATTR_DATA_MEMBER};
	const char *where = peek(p).at;
	if (!expect(p, '<') || !parse_offset(p, &key.bits) || !expect(p, '>'))
		return NULL;
	key.bits++;
	return checked(p, where, typed(p, &key));
}

/* `<null>`, `<@f>`, `<vtable_offset = 8>` */
static const IrAttr *method_attr(Parser *p)
{
	const IrAttr *unit = p->unit;
	IrAttr key = {.kind = ATTR_METHOD};
	if (!expect(p, '<'))
		return NULL;
	if (at(p, TOK_SYMBOL)) {
		key.name = parse_symbol(p);
	} else if (accept_word(p, STR("vtable_offset"))) {
		if (!expect(p, '=') || !parse_offset(p, &key.bits))
			return NULL;
		key.elems = &unit;
		key.n = 1;
	} else if (!expect_word(p, STR("null"))) {
		return NULL;
	}
	const char *where = peek(p).at;
	const IrAttr *a = expect(p, '>') ? typed(p, &key) : NULL;
	if (a && a->type->kind != TYPE_METHOD)
		return (void)parse_fail(p, where, "expected a '!cir.method' type"), NULL;
	return a;
}

/* `<@f, "label">`, B: `(@f, "label")`, and `<@f, "a", "b">` */
const IrAttr *parse_block_address(Parser *p, AttrKind kind)
{
	IrAttr key = {.kind = kind};
	const char *where = peek(p).at;
	bool round = kind == ATTR_BLOCK_ADDR && accept(p, '(');
	if (round)
		parse_older(p, where, "a block in parentheses");
	if ((!round && !expect(p, '<')) || !(key.name = parse_symbol(p)))
		return NULL;
	const IrAttr *labels[2];
	uint32_t want = kind == ATTR_BLOCK_DIFF ? 2 : 1;
	for (; key.n < want; key.n++) {
		Str s;
		if (!expect(p, ',') || !parse_string(p, &s))
			return NULL;
		labels[key.n] = ir_attr_string(p->m, s);
	}
	key.elems = labels;
	if (!expect(p, round ? ')' : '>'))
		return NULL;
	return kind == ATTR_BLOCK_DIFF ? typed(p, &key) : ir_attr_intern(p->m, &key);
}

/* Without a type in the dictionary of an op that has one. */
static const IrAttr *block_addr_attr(Parser *p)
{
	const IrAttr *a = parse_block_address(p, ATTR_BLOCK_ADDR);
	bool ok;
	if (!a)
		return NULL;
	IrAttr key = *a;
	key.type = parse_colon_type(p, &ok);
	if (ok && !key.type)
		key.type = p->m->voidp;
	return ok ? ir_attr_intern(p->m, &key) : NULL;
}

static const IrAttr *block_diff_attr(Parser *p)
{
	return parse_block_address(p, ATTR_BLOCK_DIFF);
}

static const struct {
	Str name;
	const IrAttr *(*parse)(Parser *p);
	const char *older; /* what it is then, or NULL */
} constants[] = {
    {WORD("int"), int_attr},
    {WORD("ptr"), ptr_attr},
    {WORD("global_view"), view_attr},
    {WORD("const_array"), array_attr},
    {WORD("bool"), bool_attr},
    {WORD("fp"), fp_attr},
    {WORD("zero"), zero_attr},
    {WORD("const_record"), record_attr},
    {WORD("undef"), undef_attr},
    {WORD("poison"), poison_attr},
    {WORD("const_struct"), record_attr, "'#cir.const_struct'"},
    {WORD("cst_array"), array_attr, "'#cir.cst_array'"},
    {WORD("const_vector"), vector_attr},
    {WORD("const_complex"), complex_attr},
    {WORD("complex"), complex_attr, "'#cir.complex'"},
    {WORD("null"), null_attr, "'#cir.null'"},
    {WORD("vtable"), vtable_attr},
    {WORD("typeinfo"), typeinfo_attr},
    {WORD("global_offset"), offset_attr},
    {WORD("distance"), distance_attr},
    {WORD("image_relative"), image_relative_attr},
    {WORD("data_member"), data_member_attr},
    {WORD("data_member_offset"), data_member_offset_attr},
    {WORD("method"), method_attr},
    {WORD("block_addr_info"), block_addr_attr},
    {WORD("block_addr_diff"), block_diff_attr},
};

static const char *similar_attr(Parser *p, Str name)
{
	Suggestion s = suggest_begin(name);
	for (unsigned i = 0; i < ARRAY_LEN(constants); i++)
		if (!constants[i].older)
			suggest_try(&s, constants[i].name);
	for (unsigned i = 0; i < ATTR_ROW_COUNT; i++)
		suggest_try(&s, str_of(ir_attr_row_info[i].name));
	for (unsigned c = 0; c < ENUM_CLASS_COUNT; c++)
		suggest_try(&s, str_of(ir_enum_info[c].spelling));
	if (!s.best.len || str_equal(s.best, name)) /* equal: one of these, but not followed by '<' */
		return NULL;
	return arena_printf(p->mem, "unknown attribute '#cir.%.*s'%s", (int)name.len, name.data,
	                    parse_did_you_mean(p, &s, "#cir."));
}

/* One that circ does not know is kept for others; one that resembles a known one is most likely that. */
static void warn_of_similar(Parser *p, Str name, const char *where)
{
	uint32_t len = (uint32_t)name.len, hash = hash_bytes(&p->m->names.key, name.data, len);
	Slice *s = slice_find(&p->opaque_names, name.data, len, hash);
	if (!s) {
		s = slice_add(p->mem, &p->opaque_names, name.data, len, hash);
		s->u.ptr = (void *)(uintptr_t)similar_attr(p, name);
	}
	if (s->u.ptr)
		vec_push(p->mem, &p->warnings, ((Warning){.at = where, .message = s->u.ptr}));
}

const IrAttr *parse_cir_attr(Parser *p, Str name, const char *at_name)
{
	for (unsigned i = 0; i < ARRAY_LEN(constants); i++) {
		if (!str_equal(constants[i].name, name))
			continue;
		if (constants[i].older)
			parse_older(p, at_name, constants[i].older);
		return constants[i].parse(p);
	}
	if (at(p, '<')) {
		for (unsigned i = 0; i < ATTR_ROW_COUNT; i++)
			if (str_equal(str_of(ir_attr_row_info[i].name), name))
				return parse_params(p, (AttrRow)i);
		int c = ir_enum_class_find(name);
		if (c >= 0)
			return parse_enum_attr(p, (EnumClass)c);
	}
	warn_of_similar(p, name, at_name);
	return parse_opaque(p, at_name);
}
