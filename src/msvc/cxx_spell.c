/* C++ types as clang prints them, without blanks: how records of the module are named. */
#include "msvc/cxx_type.h"

#include <stdio.h>

typedef struct Spell {
	CxxTypes *t;
	StrBuf out;
	bool too_long;
} Spell;

static void spell_whole(Spell *s, CxxType *type);

static void put(Spell *s, Str text)
{
	if (s->out.len + text.len > CXX_SPELLING_MAX)
		s->too_long = true;
	if (!s->too_long)
		buf_put(s->t->arena, &s->out, text);
}

static void put_quals(Spell *s, unsigned quals)
{
	static const struct {
		CxxQual qual;
		Str word;
	} words[] = {
	    {CXX_CONST, {"const", 5}}, {CXX_VOLATILE, {"volatile", 8}}, {CXX_RESTRICT, {"__restrict", 10}}};
	for (unsigned i = 0; i < ARRAY_LEN(words); i++)
		if (quals & words[i].qual)
			put(s, words[i].word);
}

static void put_list(Spell *s, const CxxType *type)
{
	const char *comma = "";
	for (uint32_t i = 0; i < type->n && !s->too_long; i++) {
		if (type->list[i]->kind == CXX_PACK && type->list[i]->n == 0)
			continue;
		put(s, str_of(comma));
		spell_whole(s, type->list[i]);
		comma = ",";
	}
}

static void put_decimal(Spell *s, uint64_t v)
{
	char digits[24];
	char *p = digits + sizeof digits;
	do {
		*--p = (char)('0' + v % 10);
	} while (v /= 10);
	put(s, (Str){p, (size_t)(digits + sizeof digits - p)});
}

/* What stands before a character of the type; NULL: it is no type of characters. */
static const char *character_prefix(const CxxType *type)
{
	static const char *const prefixes[CXX_BUILTIN_COUNT] = {
	    [CXX_CHAR] = "",    [CXX_SCHAR] = "(signedchar)", [CXX_UCHAR] = "(unsignedchar)",
	    [CXX_WCHAR] = "L",  [CXX_CHAR8] = "u8",           [CXX_CHAR16] = "u",
	    [CXX_CHAR32] = "U",
	};
	return type->kind == CXX_BUILTIN ? prefixes[type->builtin] : NULL;
}

static void put_character(Spell *s, const CxxType *type, const char *prefix)
{
	static const char escaped[] = "\\\\''\aa\bb\tt\nn\vv\ff\rr";
	uint64_t v = type->negative ? -type->value & 0xff : type->value;
	char text[16];
	const char *escape = NULL;
	for (const char *e = escaped; *e && !escape; e += 2)
		if ((unsigned char)*e == v)
			escape = e + 1;
	if (escape)
		snprintf(text, sizeof text, "'\\%c'", *escape);
	else if (v >= ' ' && v < 0x7f)
		snprintf(text, sizeof text, "'%c'", (char)v);
	else
		snprintf(text, sizeof text,
		         v < 0x100     ? "'\\x%02x'"
		         : v < 0x10000 ? "'\\u%04x'"
		                       : "'\\U%08x'",
		         (unsigned)v);
	put(s, str_of(prefix));
	put(s, str_of(text));
}

/* A character stands in quotes; another integer is followed by the suffix of its type, or follows its type
 * in parentheses. */
static void put_literal(Spell *s, const CxxType *type)
{
	static const char *const suffixes[CXX_BUILTIN_COUNT] = {
	    [CXX_INT] = "",     [CXX_UINT] = "U",   [CXX_LONG] = "L",
	    [CXX_ULONG] = "UL", [CXX_LLONG] = "LL", [CXX_ULLONG] = "ULL",
	};
	bool builtin = type->elem->kind == CXX_BUILTIN;
	if (builtin && type->elem->builtin == CXX_BOOL) {
		put(s, str_of(type->value ? "true" : "false"));
		return;
	}
	if (builtin && type->elem->builtin == CXX_NULLPTR) {
		put(s, STR("nullptr"));
		return;
	}
	const char *prefix = character_prefix(type->elem);
	if (prefix) {
		put_character(s, type, prefix);
		return;
	}
	const char *suffix = builtin ? suffixes[type->elem->builtin] : NULL;
	if (!suffix) {
		put(s, STR("("));
		spell_whole(s, type->elem);
		put(s, STR(")"));
	}
	if (type->negative)
		put(s, STR("-"));
	put_decimal(s, type->value);
	put(s, str_of(suffix ? suffix : ""));
}

static bool wants_parentheses(const CxxType *pointee)
{
	if (pointee->kind == CXX_QUALIFIED)
		pointee = pointee->elem;
	return pointee->kind == CXX_ARRAY || pointee->kind == CXX_FUNCTION;
}

/* A declarator stands around what it declares: before it and after it. */

static void spell_before(Spell *s, CxxType *type);

static void before_pointer(Spell *s, CxxType *type, const char *sign)
{
	spell_before(s, type->elem);
	if (wants_parentheses(type->elem))
		put(s, STR("("));
	if (type->kind == CXX_MEMBER_POINTER) {
		spell_whole(s, type->scope);
		put(s, STR("::"));
	}
	put(s, str_of(sign));
}

static void before_qualified(Spell *s, CxxType *type)
{
	bool behind = type->elem->kind == CXX_POINTER || type->elem->kind == CXX_MEMBER_POINTER;
	if (!behind)
		put_quals(s, type->quals);
	spell_before(s, type->elem);
	if (behind)
		put_quals(s, type->quals);
}

static void spell_before(Spell *s, CxxType *type)
{
	if (s->too_long)
		return;
	switch (type->kind) {
	case CXX_BUILTIN:
		put(s, str_of(cxx_builtin_info[type->builtin].spelling));
		break;
	case CXX_NAMED: {
		Name *name = cxx_type_spell(s->t, type);
		s->too_long |= !name;
		put(s, name ? name_str(name) : (Str){"", 0});
		break;
	}
	case CXX_QUALIFIED:
		before_qualified(s, type);
		break;
	case CXX_POINTER:
	case CXX_MEMBER_POINTER:
		before_pointer(s, type, "*");
		break;
	case CXX_LVALUE_REF:
		before_pointer(s, type, "&");
		break;
	case CXX_RVALUE_REF:
		before_pointer(s, type, "&&");
		break;
	case CXX_ARRAY:
	case CXX_FUNCTION:
		spell_before(s, type->elem);
		break;
	case CXX_LITERAL:
		put_literal(s, type);
		break;
	case CXX_PACK:
		put_list(s, type);
		break;
	}
}

static void after_function(Spell *s, CxxType *type)
{
	put(s, STR("("));
	put_list(s, type);
	if (type->variadic)
		put(s, str_of(type->n ? ",..." : "..."));
	put(s, STR(")"));
	put_quals(s, type->quals);
	put(s, str_of(type->ref == CXX_REF_LVALUE ? "&" : type->ref == CXX_REF_RVALUE ? "&&" : ""));
	if (type->is_noexcept)
		put(s, STR("noexcept"));
}

static void after_array(Spell *s, const CxxType *type)
{
	put(s, STR("["));
	if (type->value)
		buf_printf(s->t->arena, &s->out, "%llu", (unsigned long long)type->value);
	put(s, STR("]"));
}

static void spell_after(Spell *s, CxxType *type)
{
	for (; type && !s->too_long; type = type->elem) {
		if (type->kind == CXX_BUILTIN || type->kind == CXX_NAMED || type->kind >= CXX_LITERAL)
			return;
		if (type->kind == CXX_FUNCTION)
			after_function(s, type);
		else if (type->kind == CXX_ARRAY)
			after_array(s, type);
		else if (type->kind != CXX_QUALIFIED && wants_parentheses(type->elem))
			put(s, STR(")"));
	}
}

static void spell_whole(Spell *s, CxxType *type)
{
	spell_before(s, type);
	spell_after(s, type);
}

static void spell_name(Spell *s, CxxType *type)
{
	if (type->scope) {
		spell_whole(s, type->scope);
		put(s, STR("::"));
	}
	put(s, name_str(type->ident));
	if (type->is_template) {
		put(s, STR("<"));
		put_list(s, type);
		put(s, STR(">"));
	}
}

Name *cxx_type_spell(CxxTypes *t, CxxType *type)
{
	if (type->spelling)
		return type->spelling;
	Spell s = {.t = t};
	if (type->kind == CXX_NAMED)
		spell_name(&s, type);
	else
		spell_whole(&s, type);
	if (!s.too_long)
		type->spelling = name_intern(&t->names, (Str){s.out.data, s.out.len});
	return type->spelling;
}
