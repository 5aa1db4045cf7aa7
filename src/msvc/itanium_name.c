/* Names of classes and enums: Itanium C++ ABI, section 5.1.2 <name>, 5.1.5.3
 * <template-args>, 5.1.10 <substitution>. */
#include "msvc/itanium_reader.h"

static CxxType *std_name(ItaniumReader *r)
{
	return cxx_type_named(r->t, NULL, STR("std"));
}

/* Substitutions */

/* std::name<char, std::char_traits<char>…> */
static CxxType *std_string_like(ItaniumReader *r, const char *name, bool with_allocator)
{
	CxxType *std = std_name(r), *args[3];
	args[0] = cxx_type_builtin(r->t, CXX_CHAR);
	args[1] = cxx_type_specialize(r->t, cxx_type_named(r->t, std, STR("char_traits")), args, 1);
	args[2] = cxx_type_specialize(r->t, cxx_type_named(r->t, std, STR("allocator")), args, 1);
	return cxx_type_specialize(r->t, cxx_type_named(r->t, std, str_of(name)), args,
	                           with_allocator ? 3 : 2);
}

static CxxType *std_abbreviation(ItaniumReader *r, char c)
{
	switch (c) {
	case 'a':
		return cxx_type_named(r->t, std_name(r), STR("allocator"));
	case 'b':
		return cxx_type_named(r->t, std_name(r), STR("basic_string"));
	case 's':
		return std_string_like(r, "basic_string", true);
	case 'i':
		return std_string_like(r, "basic_istream", false);
	case 'o':
		return std_string_like(r, "basic_ostream", false);
	case 'd':
		return std_string_like(r, "basic_iostream", false);
	default:
		return NULL;
	}
}

/* S_ is the first, S0_ the second, … in base 36. */
static CxxType *read_seq_id(ItaniumReader *r)
{
	uint64_t index = 0;
	if (itanium_accept(r, '_'))
		return r->subs.len ? r->subs.data[0] : itanium_malformed(r);
	while (r->at < r->end && *r->at != '_') {
		char c = *r->at++;
		unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'A' + 10);
		if (digit >= 36 || index >= r->subs.len)
			return itanium_malformed(r);
		index = index * 36 + digit;
	}
	if (!itanium_accept(r, '_') || index + 1 >= r->subs.len)
		return itanium_malformed(r);
	return r->subs.data[index + 1];
}

CxxType *itanium_read_substitution(ItaniumReader *r)
{
	r->at++;
	CxxType *type = std_abbreviation(r, itanium_peek(r));
	if (!type)
		return read_seq_id(r);
	r->at++;
	return type;
}

/* Template arguments */

static CxxType *read_arg(ItaniumReader *r);

static bool read_list(ItaniumReader *r, CxxTypeList *out)
{
	while (!itanium_accept(r, 'E')) {
		CxxType *arg = read_arg(r);
		if (!arg)
			return false;
		vec_push(r->t->arena, out, arg);
	}
	return true;
}

static bool has_integer_value(const CxxType *type)
{
	if (type->kind != CXX_BUILTIN)
		return type->kind == CXX_NAMED;
	switch (type->builtin) {
	case CXX_VOID:
	case CXX_FLOAT:
	case CXX_DOUBLE:
	case CXX_LDOUBLE:
	case CXX_FLOAT128:
	case CXX_FLOAT16:
	case CXX_BFLOAT16:
	case CXX_HALF:
		return false;
	default:
		return true;
	}
}

/* L <type> [n] <number> E, LDnE */
static CxxType *read_literal(ItaniumReader *r)
{
	if (itanium_peek(r) == '_' || itanium_peek(r) == 'Z')
		return itanium_fail(r, "the address of a function or variable");
	CxxType key = {.kind = CXX_LITERAL, .elem = itanium_read_type(r)};
	if (!key.elem)
		return NULL;
	if (!has_integer_value(key.elem) && key.elem->kind != CXX_POINTER)
		return itanium_fail(r, "a template argument that is neither a type nor an integer");
	bool null = key.elem->kind == CXX_BUILTIN && key.elem->builtin == CXX_NULLPTR;
	key.negative = itanium_accept(r, 'n');
	if (!(null && itanium_peek(r) == 'E') && !itanium_read_number(r, &key.value))
		return NULL;
	return itanium_accept(r, 'E') ? itanium_make(r, cxx_type(r->t, &key)) : itanium_malformed(r);
}

static CxxType *read_pack(ItaniumReader *r)
{
	CxxTypeList list = {0};
	if (!read_list(r, &list))
		return NULL;
	return itanium_make(r,
	                    cxx_type(r->t, &(CxxType){.kind = CXX_PACK, .list = list.data, .n = list.len}));
}

static CxxType *read_arg(ItaniumReader *r)
{
	if (itanium_accept(r, 'X'))
		return itanium_fail(r, "an expression");
	if (itanium_accept(r, 'L'))
		return read_literal(r);
	if (itanium_peek(r) != 'J')
		return itanium_read_type(r);
	if (r->depth >= CXX_DEPTH_MAX)
		return itanium_fail(r, "types that are nested too deeply");
	r->at++;
	r->depth++;
	CxxType *pack = read_pack(r);
	r->depth--;
	return pack;
}

CxxType *itanium_read_args(ItaniumReader *r, const CxxType *name)
{
	CxxTypeList args = {0};
	if (!itanium_accept(r, 'I') || name->kind != CXX_NAMED || name->is_template)
		return itanium_malformed(r);
	if (!read_list(r, &args))
		return NULL;
	return itanium_make(r, cxx_type_specialize(r->t, name, args.data, args.len));
}

/* Names */

/* <number> <identifier> */
static bool read_source_name(ItaniumReader *r, Str *out)
{
	uint64_t len;
	if (!itanium_read_number(r, &len))
		return false;
	if (len == 0 || len > (uint64_t)(r->end - r->at))
		return itanium_malformed(r);
	*out = (Str){r->at, (size_t)len};
	r->at += len;
	return true;
}

static CxxType *anonymous_namespace(ItaniumReader *r, CxxType *scope)
{
	if (!r->t->anonymous)
		return itanium_fail(r, "an anonymous namespace");
	CxxType *type = itanium_make(r, cxx_type_named(r->t, scope, name_str(r->t->anonymous)));
	const Name *around = scope ? cxx_type_spell(r->t, scope) : NULL;
	StrBuf text = {0};
	buf_printf(r->t->arena, &text, "%s%s(anonymousnamespace)", around ? around->text : "",
	           around ? "::" : "");
	itanium_set_spelling(r, type, &text);
	return type;
}

/* <source-name> with its ABI tags, which Microsoft names do not tell. */
static CxxType *read_unqualified(ItaniumReader *r, CxxType *scope)
{
	Str ident, tag;
	if (itanium_peek(r) == 'U')
		return itanium_fail_at_local(r, itanium_peek2(r) == 'l' ? "a lambda" : "an unnamed type");
	if (itanium_peek(r) == 'M')
		return itanium_fail_at_local(r, "a lambda");
	itanium_accept(r, 'L');
	if (!read_source_name(r, &ident))
		return NULL;
	if (str_begins_with(ident, STR("_GLOBAL__N")))
		return anonymous_namespace(r, scope);
	if (str_begins_with(ident, STR("$_"))) /* clang's */
		return itanium_fail_at_local(r, "an unnamed type");
	while (itanium_accept(r, 'B'))
		if (!read_source_name(r, &tag))
			return NULL;
	return itanium_make(r, cxx_type_named(r->t, scope, ident));
}

static CxxType *read_prefix_step(ItaniumReader *r, CxxType *prefix)
{
	switch (itanium_peek(r)) {
	case 'S':
		if (prefix)
			return itanium_malformed(r);
		if (itanium_peek2(r) != 't')
			return itanium_read_substitution(r);
		r->at += 2;
		return std_name(r);
	case 'I':
		return itanium_substitutable(r, prefix ? itanium_read_args(r, prefix) : itanium_malformed(r));
	case 'T':
		return itanium_fail(r, "a template parameter");
	case 'D':
		return itanium_fail(r, "a decltype");
	default:
		return itanium_substitutable(r, read_unqualified(r, prefix));
	}
}

/* N <prefix> <unqualified-name> [<template-args>] E. The last step is made substitutable
 * by the reader of the type. */
static CxxType *read_nested(ItaniumReader *r)
{
	CxxType *prefix = NULL;
	uint32_t before = r->subs.len;
	while (!itanium_accept(r, 'E')) {
		before = r->subs.len;
		prefix = read_prefix_step(r, prefix);
		if (!prefix)
			return NULL;
		if (prefix->kind != CXX_NAMED)
			return itanium_malformed(r);
	}
	if (!prefix || r->subs.len == before)
		return itanium_malformed(r);
	r->subs.len--;
	return prefix;
}

CxxType *itanium_read_name(ItaniumReader *r)
{
	if (itanium_peek(r) == 'Z')
		return itanium_fail_at_local(r, "a name that is local to a function");
	if (itanium_accept(r, 'N'))
		return read_nested(r);
	CxxType *scope = NULL;
	if (itanium_peek(r) == 'S' && itanium_peek2(r) == 't') {
		r->at += 2;
		scope = std_name(r);
	}
	CxxType *name = read_unqualified(r, scope);
	if (!name || itanium_peek(r) != 'I')
		return name;
	itanium_substitutable(r, name);
	return itanium_read_args(r, name);
}
