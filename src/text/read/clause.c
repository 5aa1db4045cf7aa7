/* Clauses of functions, globals and calls, behind their keyword, and what holds for all keywords: each is given once,
 * in any order. */
#include "text/read/parser.h"

#include "text/read/scan.h"

/* `comdat`, of the symbol's own name; `comdat("name")` */
bool parse_comdat_clause(Parser *p)
{
	if (!accept(p, '(')) {
		push_flag(p, NAME_comdat);
		return true;
	}
	const char *where = peek(p).at;
	const IrAttr *name = parse_attr(p);
	if (name && name->kind != ATTR_STRING)
		return parse_fail(p, where, "expected the name of a comdat, a string");
	if (name)
		push_attr(p, p->known[NAME_comdat], name);
	return name && expect(p, ')');
}

/* Most functions and globals of a module have one of a few texts before their name. */
bool parse_leading_words(Parser *p, const Frame *f, LeadingWords *read)
{
	const char *begin = f->at;
	size_t left = (size_t)(p->lx.end - begin);
	const char *end = memchr(begin, '@', left < CACHED_TEXT_MAX ? left : CACHED_TEXT_MAX);
	if (!end || end == peek(p).at)
		return read(p, f);
	uint32_t len = (uint32_t)(end - begin), hash = hash_bytes(&p->m->names.key, begin, len);
	const Slice *s = slice_find(&p->cache, begin, len, hash);
	if (s) {
		const IrAttr *words = s->u.ptr;
		for (uint32_t i = 0; i < words->n; i++)
			push_attr(p, words->keys[i], words->elems[i]);
		lex_seek(&p->lx, end);
		return true;
	}
	bool era_a = p->era_a;
	uint32_t told = p->ntold;
	if (!read(p, f))
		return false;
	bool plain = p->era_a == era_a && p->ntold == told && p->warnings.len == f->warnings;
	if (plain && peek(p).at == end) /* not in a string */
		slice_add(p->mem, &p->cache, begin, len, hash)->u.ptr =
		    (void *)(uintptr_t)parse_pop_dict(p, f->attrs);
	return true;
}

bool parse_alignment_clause(Parser *p)
{
	uint64_t n;
	if (!expect(p, '(') || !parse_uint(p, &n, "alignment") || !expect(p, ')'))
		return false;
	push_attr(p, p->known[NAME_alignment], ir_attr_i64(p->m, (int64_t)n));
	return true;
}

bool parse_symbol_clause(Parser *p, NameId name)
{
	if (!expect(p, '('))
		return false;
	Name *symbol = parse_symbol(p);
	if (!symbol || !expect(p, ')'))
		return false;
	push_attr(p, p->known[name], ir_attr_symbol(p->m, symbol));
	return true;
}

bool parse_cc_clause(Parser *p)
{
	if (!expect(p, '('))
		return false;
	int word = parse_enum_word(p, ENUM_CALLING_CONV);
	if (word < 0 || !expect(p, ')'))
		return false;
	if (word != CALLING_CONV_C)
		push_enum(p, NAME_calling_conv, ENUM_CALLING_CONV, (unsigned)word);
	return true;
}

bool parse_side_effect_clause(Parser *p)
{
	if (!expect(p, '('))
		return false;
	int word = parse_enum_word(p, ENUM_SIDE_EFFECT);
	if (word < 0 || !expect(p, ')'))
		return false;
	push_enum(p, NAME_side_effect, ENUM_SIDE_EFFECT, (unsigned)word);
	return true;
}

static bool is_pushed(const Parser *p, const Frame *f, const Name *name)
{
	for (uint32_t i = f->attrs; i < p->attrs.len; i++)
		if (p->attrs.data[i].name == name)
			return true;
	return false;
}

/* `nothrow = #cir.nothrow`, or `#cir<nothrow>`, says no more than its key. */
static bool says_its_key(Parser *p, const Name *key, const IrAttr *value)
{
	return value->kind == ATTR_OPAQUE && !value->n &&
	       (strcmp(value->name->text, arena_printf(p->mem, "#cir.%s", key->text)) == 0 ||
	        strcmp(value->name->text, arena_printf(p->mem, "#cir<%s>", key->text)) == 0);
}

/* `extra(#fn_attr)`, `extra({…})`: B's bundle of what newer text has among the other attributes. */
bool parse_extra_clause(Parser *p, const Frame *f)
{
	parse_older(p, p->lx.before_end - strlen("extra"), "'extra(…)'");
	if (!expect(p, '('))
		return false;
	const char *where = peek(p).at;
	const IrAttr *a = parse_attr(p);
	if (!a || !expect(p, ')'))
		return false;
	if (a->kind != ATTR_DICT)
		return parse_fail(p, where, "expected '#cir<extra({…})>' or a dictionary");
	for (uint32_t i = 0; i < a->n; i++) {
		Name *key = a->keys[i];
		if (str_equal(name_str(key), STR("inline")))
			key = p->known[NAME_inline_kind];
		if (!is_pushed(p, f, key))
			push_attr(p, key, says_its_key(p, key, a->elems[i]) ? p->unit : a->elems[i]);
	}
	return true;
}

/* What the text has says more than the name of an attribute: `internal`, `inline(never)`. */
static bool fail_given_twice(Parser *p, const char *where, const Name *name)
{
	size_t len = 0, left = (size_t)(p->lx.end - where);
	while (len < left && scan_is(where[len], IDENT))
		len++;
	if (!len || str_equal((Str){where, len}, name_str(name)))
		return parse_fail(p, where, "'%s' is given twice", name->text);
	return parse_fail(p, where, "'%s' is given twice, here by '%.*s'", name->text, (int)len, where);
}

bool parse_check_new(Parser *p, const char *where, uint32_t first, uint32_t before)
{
	if (p->attrs.len != before + 1)
		return true;
	const Name *name = p->attrs.data[before].name;
	for (uint32_t i = first; i < before; i++)
		if (p->attrs.data[i].name == name)
			return fail_given_twice(p, where, name);
	return true;
}

void parse_drop_default(Parser *p, uint32_t first, NameId name, unsigned word)
{
	for (uint32_t i = first; i < p->attrs.len; i++) {
		const IrNamedAttr *a = &p->attrs.data[i];
		if (a->name != p->known[name] || a->value->kind != ATTR_ENUM || a->value->bits != word)
			continue;
		memmove(&p->attrs.data[i], a + 1, (--p->attrs.len - i) * sizeof *a);
		return;
	}
}
