/* The grammar is that of clang's MicrosoftMangle; the productions have its names. Types alone
 * occur here: no functions or variables, and calling conventions are always __cdecl, which
 * x86_64 makes of all but __vectorcall. */
#include "msvc/mangle.h"

enum { BACK_REFERENCES = 10 };

/* The names of one context. A template's arguments are a context of their own, and so
 * does not see those around it. */
typedef struct Context {
	MsNames *n;
	StrBuf out;
	Name *names[BACK_REFERENCES];
	CxxType *params[BACK_REFERENCES];
	unsigned nnames, nparams;
	bool failed;
} Context;

/* What is written before a type to tell its qualifiers: clang's QualifierMangleMode. */
typedef enum Mode { MODE_DROP, MODE_MANGLE, MODE_ESCAPE, MODE_RESULT } Mode;

static void put_type(Context *c, CxxType *type, Mode mode);

static void fail(Context *c, const char *why)
{
	if (!c->failed && !c->n->why)
		c->n->why = why;
	c->failed = true;
}

static void put(Context *c, Str text)
{
	if (c->out.len + text.len > MS_NAME_MAX)
		fail(c, "a name that is too long for Microsoft's symbols");
	if (!c->failed)
		buf_put(c->n->types->arena, &c->out, text);
}

static void put_char(Context *c, char ch)
{
	put(c, (Str){&ch, 1});
}

const char *ms_mangle_number(uint64_t v, char digits[MS_NUMBER_MAX])
{
	unsigned first = MS_NUMBER_MAX - 1;
	digits[first] = '\0';
	if (v >= 1 && v <= 10) {
		digits[--first] = (char)('0' + v - 1);
		return &digits[first];
	}
	digits[--first] = '@';
	do {
		digits[--first] = (char)('A' + v % 16);
	} while (v /= 16);
	return &digits[first];
}

/* Numbers are signed, whatever their type: 2^64-1 is written as -1. */
static void put_number(Context *c, uint64_t v, bool negative)
{
	char digits[MS_NUMBER_MAX];
	if (v >> 63) {
		v = -v;
		negative = !negative;
	}
	if (negative)
		put_char(c, '?');
	put(c, str_of(ms_mangle_number(v, digits)));
}

/* Names */

static void put_source_name(Context *c, Name *name)
{
	for (unsigned i = 0; i < c->nnames; i++)
		if (c->names[i] == name) {
			put_char(c, (char)('0' + i));
			return;
		}
	if (c->nnames < BACK_REFERENCES)
		c->names[c->nnames++] = name;
	put(c, name_str(name));
	put_char(c, '@');
}

static void put_argument(Context *c, const CxxType *arg)
{
	switch (arg->kind) {
	case CXX_LITERAL:
		put(c, STR("$0"));
		put_number(c, arg->value, arg->negative);
		break;
	case CXX_PACK:
		if (arg->n == 0 && c->n->packs_of_types)
			put(c, STR("$$V"));
		else if (arg->n == 0)
			fail(c, "an empty pack of template arguments, and does not specify their kind");
		for (uint32_t i = 0; i < arg->n && !c->failed; i++)
			put_argument(c, arg->list[i]);
		break;
	default:
		put_type(c, (CxxType *)arg, MODE_ESCAPE);
		break;
	}
}

/* <template-name> without the names around it. */
static Name *template_name(Context *outer, CxxType *type)
{
	if (type->microsoft)
		return type->microsoft;
	Context c = {.n = outer->n};
	put(&c, STR("?$"));
	put_source_name(&c, type->ident);
	for (uint32_t i = 0; i < type->n && !c.failed; i++) {
		if (i && type->list[i]->kind == CXX_PACK && type->list[i - 1]->kind == CXX_PACK)
			put(&c, STR("$$Z"));
		put_argument(&c, type->list[i]);
	}
	outer->failed |= c.failed;
	if (!c.failed)
		type->microsoft = name_intern(&c.n->types->names, (Str){c.out.data, c.out.len});
	return type->microsoft;
}

static void put_name(Context *c, CxxType *type)
{
	for (; type && !c->failed; type = type->scope) {
		Name *name = type->is_template ? template_name(c, type) : type->ident;
		if (name && name == c->n->types->anonymous) {
			put(c, name_str(name)); /* never a back reference */
			put_char(c, '@');
		} else if (name) {
			put_source_name(c, name);
		}
	}
	put_char(c, '@');
}

static void put_tag_type(Context *c, CxxType *type)
{
	static const char *const tags[] = {
	    [MS_TAG_STRUCT] = "U", [MS_TAG_CLASS] = "V", [MS_TAG_UNION] = "T", [MS_TAG_ENUM] = "W4"};
	MsTag tag = c->n->tag(c->n->user, type);
	c->failed |= tag == MS_TAG_NONE;
	if (c->failed)
		return;
	put(c, str_of(tags[tag]));
	put_name(c, type);
}

/* Qualifiers */

static void put_quals(Context *c, unsigned quals, bool member)
{
	put_char(c, (char)((member ? 'Q' : 'A') + (quals & (CXX_CONST | CXX_VOLATILE))));
}

static const CxxType *unqualified(const CxxType *type)
{
	return type->kind == CXX_QUALIFIED ? type->elem : type;
}

/* E: a 64-bit pointer, of all but functions. I: __restrict */
static void put_pointer_ext(Context *c, unsigned quals, const CxxType *pointee)
{
	if (!pointee || unqualified(pointee)->kind != CXX_FUNCTION)
		put_char(c, 'E');
	if (quals & CXX_RESTRICT)
		put_char(c, 'I');
}

static bool is_pointer(const CxxType *type)
{
	return type->kind >= CXX_POINTER && type->kind <= CXX_RVALUE_REF ? true
	                                                                 : type->kind == CXX_MEMBER_POINTER;
}

/* Functions */

static void put_parameter(Context *c, CxxType *param)
{
	for (unsigned i = 0; i < c->nparams; i++)
		if (c->params[i] == param) {
			put_char(c, (char)('0' + i));
			return;
		}
	uint32_t before = c->out.len;
	put_type(c, param, MODE_DROP);
	if (c->out.len - before > 1 && c->nparams < BACK_REFERENCES)
		c->params[c->nparams++] = param;
}

/* <this-cvr-qualifiers> <calling-convention> <return-type> <argument-list> <throw-spec> */
static void put_function(Context *c, const CxxType *type, bool has_this)
{
	if (has_this) {
		put_pointer_ext(c, 0, NULL);
		if (type->ref != CXX_REF_NONE)
			put_char(c, type->ref == CXX_REF_LVALUE ? 'G' : 'H');
		put_quals(c, type->quals, false);
	}
	put_char(c, 'A');
	bool is_void =
	    unqualified(type->elem)->kind == CXX_BUILTIN && unqualified(type->elem)->builtin == CXX_VOID;
	put_type(c, is_void ? cxx_type_builtin(c->n->types, CXX_VOID) : type->elem, MODE_RESULT);
	if (type->n == 0 && !type->variadic)
		put_char(c, 'X');
	else {
		for (uint32_t i = 0; i < type->n && !c->failed; i++)
			put_parameter(c, type->list[i]);
		put_char(c, type->variadic ? 'Z' : '@');
	}
	put(c, str_of(type->is_noexcept ? "_E" : "Z"));
}

static void put_function_type(Context *c, const CxxType *type)
{
	bool has_this = type->quals || type->ref != CXX_REF_NONE;
	put(c, str_of(has_this ? "$$A8@@" : "$$A6"));
	put_function(c, type, has_this);
}

/* Compound types */

static void put_array(Context *c, const CxxType *type)
{
	uint64_t dimensions = 0;
	const CxxType *elem = type;
	for (; elem->kind == CXX_ARRAY; elem = elem->elem)
		dimensions++;
	put_char(c, 'Y');
	put_number(c, dimensions, false);
	for (; type->kind == CXX_ARRAY; type = type->elem)
		put_number(c, type->value, false);
	put_type(c, (CxxType *)type, MODE_ESCAPE);
}

/* P, Q, R, S: by the qualifiers of the pointer itself. */
static void put_pointer(Context *c, const CxxType *type, unsigned quals)
{
	put_char(c, (char)('P' + (quals & (CXX_CONST | CXX_VOLATILE))));
	put_pointer_ext(c, quals, type->elem);
	put_type(c, type->elem, MODE_MANGLE);
}

static void put_reference(Context *c, const CxxType *type, unsigned quals)
{
	put(c, str_of(type->kind == CXX_LVALUE_REF ? "A" : "$$Q"));
	put_pointer_ext(c, quals, type->elem);
	put_type(c, type->elem, MODE_MANGLE);
}

static void put_member_pointer(Context *c, const CxxType *type, unsigned quals)
{
	put_char(c, (char)('P' + (quals & (CXX_CONST | CXX_VOLATILE))));
	put_pointer_ext(c, quals, type->elem);
	if (type->elem->kind == CXX_FUNCTION) {
		put_char(c, '8');
		put_name(c, type->scope);
		put_function(c, type->elem, true);
		return;
	}
	put_quals(c, cxx_type_quals(type->elem), true);
	put_name(c, type->scope);
	put_type(c, type->elem, MODE_DROP);
}

/* Float types that Microsoft's compilers do not have are structs of the namespace __clang to clang. */
static bool is_clang_float(const CxxType *type)
{
	return type->kind == CXX_BUILTIN &&
	       (type->builtin == CXX_FLOAT16 || type->builtin == CXX_BFLOAT16 || type->builtin == CXX_HALF);
}

static void put_builtin(Context *c, const CxxType *type)
{
	const char *text = cxx_builtin_info[type->builtin].microsoft;
	if (!text) {
		fail(c, "__float128");
	} else if (is_clang_float(type)) {
		put_char(c, 'U');
		put_source_name(c, name_intern(&c->n->types->names, str_of(text)));
		put_source_name(c, name_intern(&c->n->types->names, STR("__clang")));
		put_char(c, '@');
	} else {
		put(c, str_of(text));
	}
}

static void put_unqualified(Context *c, CxxType *type, unsigned quals)
{
	switch (type->kind) {
	case CXX_BUILTIN:
		put_builtin(c, type);
		break;
	case CXX_NAMED:
		put_tag_type(c, type);
		break;
	case CXX_POINTER:
		put_pointer(c, type, quals);
		break;
	case CXX_LVALUE_REF:
	case CXX_RVALUE_REF:
		put_reference(c, type, quals);
		break;
	case CXX_MEMBER_POINTER:
		put_member_pointer(c, type, quals);
		break;
	case CXX_FUNCTION:
		put_function_type(c, type);
		break;
	default:
		/* arguments of templates are no types; arrays and qualified types were taken apart */
		CHECK(false);
	}
}

/* _Complex and _BitInt, which clang writes as classes of the namespace __clang without taking them for such.
 * Vectors it does. */
static bool is_clang_value(const CxxType *type)
{
	return type->is_template && type->scope && type->scope->kind == CXX_NAMED && !type->scope->scope &&
	       str_equal(name_str(type->scope->ident), STR("__clang")) &&
	       !str_equal(name_str(type->ident), STR("__vector"));
}

/* False: all of the type is written. */
static bool put_mode(Context *c, const CxxType *type, unsigned quals, Mode mode)
{
	switch (mode) {
	case MODE_DROP:
		break;
	case MODE_MANGLE:
		if (type->kind == CXX_FUNCTION) {
			put_char(c, '6');
			put_function(c, type, false);
			return false;
		}
		put_quals(c, quals, false);
		break;
	case MODE_ESCAPE:
		if (!is_pointer(type) && quals) {
			put(c, STR("$$C"));
			put_quals(c, quals, false);
		}
		break;
	case MODE_RESULT:
		if ((!is_pointer(type) && quals) || (type->kind == CXX_NAMED && !is_clang_value(type))) {
			put_char(c, '?');
			put_quals(c, quals, false);
		}
		break;
	}
	return true;
}

static void put_type(Context *c, CxxType *type, Mode mode)
{
	if (c->failed)
		return;
	unsigned quals = type->kind == CXX_QUALIFIED ? type->quals : 0;
	if (type->kind == CXX_QUALIFIED)
		type = type->elem;
	if (type->kind == CXX_ARRAY) {
		put(c, str_of(mode == MODE_MANGLE ? "A" : mode == MODE_DROP ? "" : "$$B"));
		put_array(c, type);
	} else if (put_mode(c, type, quals, mode)) {
		put_unqualified(c, type, quals);
	}
}

bool ms_mangle_type(MsNames *n, CxxType *type, StrBuf *out)
{
	Context c = {.n = n};
	n->why = NULL;
	put_type(&c, type, MODE_RESULT);
	*out = c.out;
	return !c.failed;
}
