#include "msvc/itanium_reader.h"

CxxType *itanium_fail(ItaniumReader *r, const char *why)
{
	if (!r->why.what)
		r->why.what = why;
	return NULL;
}

CxxType *itanium_fail_at_local(ItaniumReader *r, const char *why)
{
	r->why.is_local |= !r->why.what;
	return itanium_fail(r, why);
}

CxxType *itanium_malformed(ItaniumReader *r)
{
	return itanium_fail(r, "something that is not a type of the Itanium C++ ABI");
}

CxxType *itanium_substitutable(ItaniumReader *r, CxxType *type)
{
	if (type)
		vec_push(r->t->arena, &r->subs, type);
	return type;
}

CxxType *itanium_make(ItaniumReader *r, CxxType *made)
{
	return made ? made : itanium_fail(r, "types that are nested too deeply");
}

bool itanium_read_number(ItaniumReader *r, uint64_t *out)
{
	const char *first = r->at;
	uint64_t v = 0;
	for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
		unsigned digit = (unsigned)(*r->at - '0');
		if (v > (UINT64_MAX - digit) / 10) {
			itanium_fail(r, "a number of more than 64 bits");
			return false;
		}
		v = v * 10 + digit;
	}
	*out = v;
	return r->at > first || itanium_malformed(r);
}

/* Builtin types */

static CxxType *read_builtin(ItaniumReader *r)
{
	size_t left = (size_t)(r->end - r->at);
	for (unsigned i = 0; i < CXX_BUILTIN_COUNT; i++) {
		size_t len = strlen(cxx_builtin_info[i].itanium);
		if (len > left || memcmp(r->at, cxx_builtin_info[i].itanium, len) != 0)
			continue;
		r->at += len;
		return itanium_make(r, cxx_type_builtin(r->t, (CxxBuiltin)i));
	}
	return itanium_malformed(r);
}

/* What clang names as if it were a template in the namespace __clang, when it writes Microsoft names. It
 * spells them otherwise. */
static CxxType *clang_template(ItaniumReader *r, const char *ident, CxxType *const *args, uint32_t n)
{
	CxxType *scope = cxx_type_named(r->t, NULL, STR("__clang"));
	CxxType *name = cxx_type_named(r->t, scope, str_of(ident));
	return itanium_make(r, cxx_type_specialize(r->t, name, args, n));
}

static CxxType *size_argument(ItaniumReader *r, uint64_t value)
{
	CxxType *type = cxx_type_builtin(r->t, CXX_UINT);
	return cxx_type(r->t, &(CxxType){.kind = CXX_LITERAL, .elem = type, .value = value});
}

void itanium_set_spelling(ItaniumReader *r, CxxType *type, const StrBuf *text)
{
	if (type && text->len <= CXX_SPELLING_MAX)
		type->spelling = name_intern(&r->t->names, (Str){text->data, text->len});
}

static CxxType *read_complex(ItaniumReader *r)
{
	CxxType *elem = itanium_read_type(r);
	CxxType *type = elem ? clang_template(r, "_Complex", &elem, 1) : NULL;
	const Name *spelling = type ? cxx_type_spell(r->t, elem) : NULL;
	StrBuf text = {0};
	if (spelling) {
		buf_printf(r->t->arena, &text, "_Complex%s", spelling->text);
		itanium_set_spelling(r, type, &text);
	}
	return type;
}

/* DB <number> _, DU <number> _ */
static CxxType *read_bitint(ItaniumReader *r, bool is_unsigned)
{
	uint64_t width;
	if (!itanium_read_number(r, &width))
		return NULL;
	if (!itanium_accept(r, '_'))
		return itanium_malformed(r);
	CxxType *size = size_argument(r, width);
	CxxType *type = clang_template(r, is_unsigned ? "_UBitInt" : "_BitInt", &size, 1);
	StrBuf text = {0};
	buf_printf(r->t->arena, &text, "%s_BitInt(%llu)", is_unsigned ? "unsigned" : "",
	           (unsigned long long)width);
	itanium_set_spelling(r, type, &text);
	return type;
}

/* The vectors that have a name of their own on windows-msvc: by element and bits. */
static const char *vector_class(const CxxType *elem, uint64_t count)
{
	static const struct {
		CxxBuiltin elem;
		uint64_t count;
		const char *name;
	} rows[] = {
	    {CXX_FLOAT, 4, "__m128"},  {CXX_DOUBLE, 2, "__m128d"}, {CXX_LLONG, 2, "__m128i"},
	    {CXX_FLOAT, 8, "__m256"},  {CXX_DOUBLE, 4, "__m256d"}, {CXX_LLONG, 4, "__m256i"},
	    {CXX_FLOAT, 16, "__m512"}, {CXX_DOUBLE, 8, "__m512d"}, {CXX_LLONG, 8, "__m512i"},
	    {CXX_LLONG, 1, "__m64"},
	};
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++)
		if (elem->kind == CXX_BUILTIN && elem->builtin == rows[i].elem && count == rows[i].count)
			return rows[i].name;
	return NULL;
}

static CxxType *make_vector(ItaniumReader *r, CxxType *elem, uint64_t count)
{
	const char *name = vector_class(elem, count);
	if (name)
		return itanium_make(r, cxx_type_named(r->t, NULL, str_of(name)));
	CxxType *args[] = {elem, size_argument(r, count)};
	return clang_template(r, "__vector", args, 2);
}

/* Dv <number> _ <type>. GCC's vectors and OpenCL's are mangled alike, but spelled otherwise: as GCC's. */
static CxxType *read_vector(ItaniumReader *r)
{
	uint64_t count;
	if (!itanium_read_number(r, &count) || !itanium_accept(r, '_'))
		return itanium_malformed(r);
	CxxType *elem = itanium_read_type(r);
	CxxType *type = elem ? make_vector(r, elem, count) : NULL;
	const Name *spelling = type ? cxx_type_spell(r->t, elem) : NULL;
	StrBuf text = {0};
	if (spelling) {
		buf_printf(r->t->arena, &text, "__attribute__((__vector_size__(%llu*sizeof(%s))))%s",
		           (unsigned long long)count, spelling->text, spelling->text);
		itanium_set_spelling(r, type, &text);
	}
	return type;
}

/* Compound types */

static unsigned read_quals(ItaniumReader *r)
{
	unsigned quals = 0;
	if (itanium_accept(r, 'r'))
		quals |= CXX_RESTRICT;
	if (itanium_accept(r, 'V'))
		quals |= CXX_VOLATILE;
	if (itanium_accept(r, 'K'))
		quals |= CXX_CONST;
	return quals;
}

static bool at_function(const ItaniumReader *r)
{
	return itanium_peek(r) == 'F' || (itanium_peek(r) == 'D' && itanium_peek2(r) == 'o');
}

/* The parameters of a function, up to its ref-qualifier. */
static bool read_params(ItaniumReader *r, CxxTypeList *params, bool *variadic)
{
	if (itanium_peek(r) == 'v' && itanium_peek2(r) != '\0') {
		r->at++;
		return true;
	}
	while (itanium_peek(r) != 'E' && itanium_peek2(r) != '\0') {
		if ((itanium_peek(r) == 'R' || itanium_peek(r) == 'O') && itanium_peek2(r) == 'E')
			break;
		if ((*variadic = itanium_accept(r, 'z')))
			break;
		CxxType *param = itanium_read_type(r);
		if (!param)
			return false;
		vec_push(r->t->arena, params, param);
	}
	return true;
}

/* [Do] F [Y] <result> <parameter>+ [R | O] E; the qualifiers before it are those of `this`. */
static CxxType *read_function(ItaniumReader *r, unsigned quals)
{
	CxxType key = {.kind = CXX_FUNCTION, .quals = (uint8_t)quals};
	CxxTypeList params = {0};
	if (itanium_accept(r, 'D')) {
		r->at++;
		key.is_noexcept = true;
	}
	if (!itanium_accept(r, 'F'))
		return itanium_malformed(r);
	itanium_accept(r, 'Y');
	key.elem = itanium_read_type(r);
	if (!key.elem || !read_params(r, &params, &key.variadic))
		return NULL;
	key.list = params.data;
	key.n = params.len;
	if (itanium_accept(r, 'R'))
		key.ref = CXX_REF_LVALUE;
	else if (itanium_accept(r, 'O'))
		key.ref = CXX_REF_RVALUE;
	if (!itanium_accept(r, 'E'))
		return itanium_malformed(r);
	return itanium_make(r, cxx_type(r->t, &key));
}

static CxxType *qualify(ItaniumReader *r, CxxType *type, unsigned quals)
{
	CxxType key = {.kind = CXX_QUALIFIED, .elem = type, .quals = (uint8_t)quals};
	switch (type->kind) {
	case CXX_QUALIFIED:
		key.elem = type->elem;
		key.quals |= type->quals;
		break;
	case CXX_ARRAY: {
		CxxType *elem = qualify(r, type->elem, quals);
		key = *type;
		key.elem = elem;
		if (!elem)
			return NULL;
		break;
	}
	case CXX_FUNCTION:
	case CXX_LVALUE_REF:
	case CXX_RVALUE_REF:
		return itanium_malformed(r);
	default:
		break;
	}
	return itanium_make(r, cxx_type(r->t, &key));
}

static CxxType *read_qualified(ItaniumReader *r)
{
	unsigned quals = read_quals(r);
	if (at_function(r))
		return read_function(r, quals);
	CxxType *type = itanium_read_type(r);
	return type ? qualify(r, type, quals) : NULL;
}

static CxxType *read_pointer(ItaniumReader *r, CxxKind kind)
{
	CxxType *elem = itanium_read_type(r);
	return elem ? itanium_make(r, cxx_type_of(r->t, kind, elem)) : NULL;
}

/* A <number> _ <type>, A _ <type> */
static CxxType *read_array(ItaniumReader *r)
{
	uint64_t count = 0;
	if (itanium_peek(r) != '_' && (itanium_peek(r) < '0' || itanium_peek(r) > '9'))
		return itanium_fail(r, "an array whose size is an expression");
	if (itanium_peek(r) != '_' && !itanium_read_number(r, &count))
		return NULL;
	if (!itanium_accept(r, '_'))
		return itanium_malformed(r);
	CxxType *elem = itanium_read_type(r);
	return elem ? itanium_make(
	                  r, cxx_type(r->t, &(CxxType){.kind = CXX_ARRAY, .elem = elem, .value = count}))
	            : NULL;
}

/* M <class> <member> */
static CxxType *read_member_pointer(ItaniumReader *r)
{
	CxxType *scope = itanium_read_type(r);
	CxxType *elem = scope ? itanium_read_type(r) : NULL;
	if (!elem)
		return NULL;
	if (scope->kind != CXX_NAMED)
		return itanium_malformed(r);
	return itanium_make(
	    r, cxx_type(r->t, &(CxxType){.kind = CXX_MEMBER_POINTER, .scope = scope, .elem = elem}));
}

/* What begins with D and is no builtin type. */
static CxxType *read_d(ItaniumReader *r)
{
	char what = itanium_peek2(r);
	switch (what) {
	case 'o':
		return read_function(r, 0);
	case 'v':
		r->at += 2;
		return read_vector(r);
	case 'B':
	case 'U':
		r->at += 2;
		return read_bitint(r, what == 'U');
	case 't':
	case 'T':
		return itanium_fail(r, "a decltype");
	case 'p':
		return itanium_fail(r, "a pack expansion");
	case 'a':
	case 'c':
		return itanium_fail(r, "a deduced type");
	case 'O':
	case 'w':
	case 'x':
		return itanium_fail(r, "a function with a computed exception specification");
	default:
		return itanium_malformed(r);
	}
}

/* Types but builtin ones and substitutions. */
static CxxType *read_compound(ItaniumReader *r)
{
	char c = itanium_peek(r);
	switch (c) {
	case 'r':
	case 'V':
	case 'K':
		return read_qualified(r);
	case 'F':
		return read_function(r, 0);
	case 'D':
		return read_d(r);
	case 'T':
		if (itanium_peek2(r) == '_' || (itanium_peek2(r) >= '0' && itanium_peek2(r) <= '9'))
			return itanium_fail(r, "a template parameter");
		r->at += 2; /* Ts, Tu, Te: an elaborated name */
		return itanium_read_name(r);
	case 'U':
	case 'u':
		return itanium_fail(r, "a vendor's own type or qualifier");
	case 'G':
		return itanium_fail(r, "an imaginary type");
	default:
		break;
	}
	static const char prefixes[] = "PROAMC";
	if (!c || !strchr(prefixes, c))
		return itanium_read_name(r);
	r->at++;
	switch (c) {
	case 'P':
		return read_pointer(r, CXX_POINTER);
	case 'R':
		return read_pointer(r, CXX_LVALUE_REF);
	case 'O':
		return read_pointer(r, CXX_RVALUE_REF);
	case 'A':
		return read_array(r);
	case 'M':
		return read_member_pointer(r);
	default:
		return read_complex(r);
	}
}

static bool at_builtin(const ItaniumReader *r)
{
	char c = itanium_peek(r);
	if (c == 'D')
		return itanium_peek2(r) && strchr("nusihF", itanium_peek2(r));
	return c && strchr("vwbcahstijlmxynofdeg", c);
}

static CxxType *read_any(ItaniumReader *r)
{
	if (at_builtin(r))
		return read_builtin(r);
	if (itanium_peek(r) != 'S' || itanium_peek2(r) == 't')
		return itanium_substitutable(r, read_compound(r));
	CxxType *type = itanium_read_substitution(r);
	if (!type || itanium_peek(r) != 'I')
		return type;
	return itanium_substitutable(r, itanium_read_args(r, type));
}

CxxType *itanium_read_type(ItaniumReader *r)
{
	if (r->depth >= CXX_DEPTH_MAX)
		return itanium_fail(r, "types that are nested too deeply");
	r->depth++;
	CxxType *type = read_any(r);
	r->depth--;
	return type;
}

CxxType *itanium_type(CxxTypes *t, Str mangled, ItaniumFailure *why)
{
	ItaniumReader r = {.t = t, .at = mangled.data, .end = mangled.data + mangled.len};
	CxxType *type = itanium_read_type(&r);
	if (type && r.at != r.end)
		type = itanium_malformed(&r);
	*why = r.why;
	return type;
}
