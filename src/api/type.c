#include "api/api.h"
#include "ir/layout.h"
#include "text/parse.h"

_Static_assert((int)CIRC_TYPE_INT == TYPE_INT && (int)CIRC_TYPE_LONG_DOUBLE == TYPE_LONG_DOUBLE &&
                   (int)CIRC_TYPE_RECORD == TYPE_RECORD && (int)CIRC_TYPE_CATCH_TOKEN == TYPE_CATCH_TOKEN &&
                   (int)CIRC_TYPE_OPAQUE == TYPE_OPAQUE && (int)CIRC_TYPE_OPAQUE + 1 == TYPE_KIND_COUNT,
               "circ/type.h and ir/type.h must agree");
_Static_assert((int)CIRC_RECORD_UNION == RECORD_UNION && (int)CIRC_MEMBER_BITFIELD == MARK_BITFIELD,
               "circ/type.h and ir/type.h must agree");

enum { WIDTH_MAX = 1 << 23 }; /* reference 2.1 */

/* What the constructors do inside the frame of a call. */
typedef struct TypeSpec {
	TypeKind kind;
	unsigned width;
	bool flag, bitint; /* signed, scalable, variadic */
	IrType *elem;
	const char *what; /* the parameter that elem came from */
	IrType *const *parts;
	size_t nparts;
	uint64_t count;
} TypeSpec;

static bool check_simple(ApiCall *c, TypeKind kind)
{
	switch (kind) {
	case TYPE_VOID:
	case TYPE_BOOL:
	case TYPE_HALF:
	case TYPE_BF16:
	case TYPE_FLOAT:
	case TYPE_DOUBLE:
	case TYPE_F80:
	case TYPE_F128:
	case TYPE_VPTR:
	case TYPE_EH_TOKEN:
	case TYPE_CLEANUP_TOKEN:
	case TYPE_CATCH_TOKEN:
	case TYPE_INDEX:
	case TYPE_NONE:
	case TYPE_TOKEN:
		return true;
	default:
		return api_error(c, "'kind' is %d; expected a type without parameters", (int)kind);
	}
}

static bool expect_elem(ApiCall *c, const TypeSpec *s, bool holds, const char *expected)
{
	return holds || api_error(c, "'%s' is %s; expected %s", s->what, api_type_str(c, s->elem), expected);
}

static bool is_number(const IrType *t)
{
	return ir_is_int(t) || ir_is_float(t);
}

static bool check_elem(ApiCall *c, const TypeSpec *s)
{
	const IrType *e = s->elem;
	bool format = e->kind == TYPE_DOUBLE || e->kind == TYPE_F80 || e->kind == TYPE_F128;
	switch (s->kind) {
	case TYPE_LONG_DOUBLE:
		return expect_elem(c, s, format, "double, f80 or f128");
	case TYPE_COMPLEX:
		return expect_elem(c, s, is_number(e), "an integer or floating point type");
	case TYPE_PTR:
		return expect_elem(c, s, !ir_is_token(e), "a type that is not a token");
	case TYPE_ARRAY:
		return api_value_type(c, e, s->what);
	case TYPE_VECTOR:
		if (!s->count || s->count > UINT32_MAX)
			return api_error(c, "a vector cannot have %llu elements",
			                 (unsigned long long)s->count);
		return expect_elem(c, s, is_number(e) || ir_is_ptr(e) || e->kind == TYPE_BOOL,
		                   "an integer, floating point, boolean or pointer type");
	default:
		return true;
	}
}

static bool check_type_spec(ApiCall *c, const TypeSpec *s)
{
	if ((s->kind == TYPE_INT || s->kind == TYPE_BUILTIN_INT) && (s->width < 1 || s->width > WIDTH_MAX))
		return api_error(c, "width %u is out of range; expected 1 to %d", s->width, WIDTH_MAX);
	if (s->elem &&
	    (!api_type(c, s->elem, s->what) || !api_type_fits_over(c, s->elem) || !check_elem(c, s)))
		return false;
	if (!api_types(c, s->parts, s->nparts, "params"))
		return false;
	for (size_t i = 0; i < s->nparts; i++)
		if (!api_type_fits_over(c, s->parts[i]))
			return false;
	return true;
}

static IrType *make(IrModule *m, const TypeSpec *s)
{
	switch (s->kind) {
	case TYPE_INT:
		return ir_type_int(m, s->width, s->flag, s->bitint);
	case TYPE_BUILTIN_INT:
		return ir_type_builtin_int(m, s->width);
	case TYPE_LONG_DOUBLE:
		return ir_type_long_double(m, s->elem);
	case TYPE_COMPLEX:
		return ir_type_complex(m, s->elem);
	case TYPE_PTR:
		return ir_type_ptr(m, s->elem);
	case TYPE_ARRAY:
		return ir_type_array(m, s->elem, s->count);
	case TYPE_VECTOR:
		return ir_type_vector(m, s->elem, s->count, s->flag);
	case TYPE_FUNC:
		return ir_type_func(m, s->parts, (uint32_t)s->nparts, s->elem, s->flag);
	case TYPE_METHOD:
	case TYPE_DATA_MEMBER:
		return ir_type_member_pointer(m, s->kind, s->parts[0], s->parts[1], MS_UNTOLD);
	default:
		return ir_type_simple(m, s->kind);
	}
}

/* check: NULL, or further rules. */
static IrType *make_type(CircModule *m, const char *function, const TypeSpec *s,
                         bool (*check)(ApiCall *, const TypeSpec *))
{
	ApiCall c;
	if (!api_begin(&c, m, function))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	bool ok = (!check || check(&c, s)) && check_type_spec(&c, s);
	IrType *t = ok ? make(m, s) : NULL;
	api_end(&c);
	return t;
}

static bool simple_rule(ApiCall *c, const TypeSpec *s)
{
	return check_simple(c, s->kind);
}

CircType *circ_type_simple(CircModule *m, CircTypeKind kind)
{
	return make_type(m, __func__, &(TypeSpec){.kind = (TypeKind)kind}, simple_rule);
}

CircType *circ_type_int(CircModule *m, unsigned width, bool is_signed)
{
	return make_type(m, __func__, &(TypeSpec){.kind = TYPE_INT, .width = width, .flag = is_signed}, NULL);
}

CircType *circ_type_bitint(CircModule *m, unsigned width, bool is_signed)
{
	TypeSpec s = {.kind = TYPE_INT, .width = width, .flag = is_signed, .bitint = true};
	return make_type(m, __func__, &s, NULL);
}

CircType *circ_type_builtin_int(CircModule *m, unsigned width)
{
	return make_type(m, __func__, &(TypeSpec){.kind = TYPE_BUILTIN_INT, .width = width}, NULL);
}

CircType *circ_type_parse(CircModule *m, const char *text, size_t len)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	IrType *t = NULL;
	if (api_text(&c, text, len))
		t = text_parse_type(m, (Str){arena_copy(&m->arena, text, len), len}, &c.api->d);
	api_end(&c);
	return t;
}

/* For types over one other, which must be there. */
static bool elem_rule(ApiCall *c, const TypeSpec *s)
{
	return api_given(c, s->elem, s->what);
}

CircType *circ_type_long_double(CircModule *m, CircType *format)
{
	return make_type(m, __func__, &(TypeSpec){.kind = TYPE_LONG_DOUBLE, .elem = format, .what = "format"},
	                 elem_rule);
}

CircType *circ_type_complex(CircModule *m, CircType *elem)
{
	return make_type(m, __func__, &(TypeSpec){.kind = TYPE_COMPLEX, .elem = elem, .what = "elem"},
	                 elem_rule);
}

CircType *circ_type_ptr(CircModule *m, CircType *pointee)
{
	return make_type(m, __func__, &(TypeSpec){.kind = TYPE_PTR, .elem = pointee, .what = "pointee"},
	                 elem_rule);
}

CircType *circ_type_ptr_in(CircModule *m, CircType *pointee, unsigned address_space)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	TypeSpec s = {.kind = TYPE_PTR, .elem = pointee, .what = "pointee"};
	IrType *t = NULL;
	if (address_space > INT32_MAX)
		api_error(&c, "address space %u is out of range", address_space);
	else if (elem_rule(&c, &s) && check_type_spec(&c, &s))
		t = ir_type_ptr_in(m, pointee, address_space ? ir_attr_i64(m, address_space) : NULL);
	api_end(&c);
	return t;
}

CircType *circ_type_array(CircModule *m, CircType *elem, uint64_t count)
{
	return make_type(m, __func__,
	                 &(TypeSpec){.kind = TYPE_ARRAY, .elem = elem, .what = "elem", .count = count},
	                 elem_rule);
}

CircType *circ_type_vector(CircModule *m, CircType *elem, uint64_t count, bool scalable)
{
	TypeSpec s = {.kind = TYPE_VECTOR, .elem = elem, .what = "elem", .count = count, .flag = scalable};
	return make_type(m, __func__, &s, elem_rule);
}

static bool func_rule(ApiCall *c, const TypeSpec *s)
{
	if (!api_types(c, s->parts, s->nparts, "params"))
		return false;
	for (size_t i = 0; i < s->nparts; i++)
		if (!api_value_type(c, s->parts[i], "params"))
			return false;
	return api_type(c, s->elem, s->what) &&
	       (s->elem->kind == TYPE_VOID || api_value_type(c, s->elem, s->what));
}

CircType *circ_type_func(CircModule *m, CircType *const *params, size_t nparams, CircType *result,
                         bool variadic)
{
	TypeSpec s = {.kind = TYPE_FUNC,
	              .parts = params,
	              .nparts = nparams,
	              .elem = result,
	              .what = "result",
	              .flag = variadic};
	if (!result && !(s.elem = circ_type_simple(m, CIRC_TYPE_VOID)))
		return NULL;
	return make_type(m, __func__, &s, func_rule);
}

static bool method_rule(ApiCall *c, const TypeSpec *s)
{
	if (!api_type(c, s->parts[0], s->kind == TYPE_METHOD ? "func" : "member") ||
	    !api_type(c, s->parts[1], "record"))
		return false;
	if (s->kind == TYPE_METHOD && s->parts[0]->kind != TYPE_FUNC)
		return api_error(c, "'func' is %s; expected a function type", api_type_str(c, s->parts[0]));
	if (s->kind == TYPE_DATA_MEMBER && !api_value_type(c, s->parts[0], "member"))
		return false;
	return s->parts[1]->kind == TYPE_RECORD ||
	       api_error(c, "'record' is %s; expected a record", api_type_str(c, s->parts[1]));
}

CircType *circ_type_method(CircModule *m, CircType *func, CircType *record)
{
	IrType *parts[] = {func, record};
	return make_type(m, __func__, &(TypeSpec){.kind = TYPE_METHOD, .parts = parts, .nparts = 2},
	                 method_rule);
}

CircType *circ_type_data_member(CircModule *m, CircType *member, CircType *record)
{
	IrType *parts[] = {member, record};
	TypeSpec s = {.kind = TYPE_DATA_MEMBER, .parts = parts, .nparts = 2};
	return make_type(m, __func__, &s, method_rule);
}

/* Records */

static bool check_record_kind(ApiCall *c, CircRecordKind kind)
{
	return (unsigned)kind <= CIRC_RECORD_UNION || api_error(c, "%d is not a record kind", (int)kind);
}

static bool check_marks(ApiCall *c, RecordKind kind, const CircRecordBody *b)
{
	for (size_t i = 0; b->marks && i < b->nmembers; i++) {
		if ((unsigned)b->marks[i] > CIRC_MEMBER_BITFIELD)
			return api_error(c, "mark #%zu is not a CircMemberMark", i);
		if (kind == RECORD_UNION && b->marks[i] == CIRC_MEMBER_PAD)
			return api_error(c, "a union member cannot be marked pad");
	}
	return true;
}

static bool check_body(ApiCall *c, RecordKind kind, const CircRecordBody *b)
{
	if (!api_given(c, b, "body") || !api_types(c, b->members, b->nmembers, "members") ||
	    !check_marks(c, kind, b))
		return false;
	for (size_t i = 0; i < b->nmembers; i++)
		if (!api_value_type(c, b->members[i], "members") || !api_type_fits_over(c, b->members[i]))
			return false;
	if (!b->padding)
		return true;
	if (kind != RECORD_UNION)
		return api_error(c, "only a union has 'padding'; mark the member instead");
	return api_value_type(c, b->padding, "padding") && api_type_fits_over(c, b->padding);
}

/* The body as src/ir takes it; marks in the scratch arena. */
static RecordBody convert_body(IrModule *m, const CircRecordBody *b)
{
	uint8_t *marks = b->marks ? arena_array(&m->scratch, uint8_t, b->nmembers) : NULL;
	for (size_t i = 0; marks && i < b->nmembers; i++)
		marks[i] = (uint8_t)b->marks[i];
	return (RecordBody){.members = b->members,
	                    .marks = marks,
	                    .nmembers = (uint32_t)b->nmembers,
	                    .packed = b->packed,
	                    .padding = b->padding};
}

CircType *circ_type_record(CircModule *m, CircRecordKind kind, const char *name, size_t len)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	IrType *t = NULL;
	if (!check_record_kind(&c, kind) || !api_given(&c, name, "name") || !api_count(&c, len, name, "name"))
		t = NULL;
	else if (!len)
		api_error(&c, "name of the record is empty");
	else
		t = ir_type_record(m, (RecordKind)kind, (Str){name, len});
	api_end(&c);
	return t;
}

bool circ_record_set_body(CircModule *m, CircType *record, const CircRecordBody *body)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return false;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return false;
	}
	bool ok = api_type(&c, record, "record");
	if (ok && (record->kind != TYPE_RECORD || !record->name))
		ok = api_error(&c, "'record' is %s; expected a named record", api_type_str(&c, record));
	ok = ok && check_body(&c, record->record_kind, body);
	if (ok) {
		RecordBody converted = convert_body(m, body);
		ok = ir_record_set_body(m, record, &converted) ||
		     api_error(&c, "record already defined: %s has another body", api_type_str(&c, record));
	}
	api_end(&c);
	return ok;
}

CircType *circ_type_anon_record(CircModule *m, CircRecordKind kind, const CircRecordBody *body)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	IrType *t = NULL;
	if (check_record_kind(&c, kind) && check_body(&c, (RecordKind)kind, body)) {
		RecordBody converted = convert_body(m, body);
		t = ir_type_anon_record(m, (RecordKind)kind, &converted);
	}
	api_end(&c);
	return t;
}

/* What a type is made of */

CircTypeKind circ_type_kind(const CircType *t)
{
	return t ? (CircTypeKind)t->kind : CIRC_TYPE_NONE;
}

CircType *circ_type_elem(const CircType *t)
{
	return t ? t->elem : NULL;
}

size_t circ_type_nmembers(const CircType *t)
{
	return t && (t->kind == TYPE_RECORD || t->kind == TYPE_FUNC) ? t->nmembers : 0;
}

CircType *circ_type_member(const CircType *t, size_t index)
{
	return index < circ_type_nmembers(t) ? t->members[index] : NULL;
}

uint64_t circ_type_count(const CircType *t)
{
	return t && (t->kind == TYPE_ARRAY || t->kind == TYPE_VECTOR) ? t->count : 0;
}

unsigned circ_type_width(const CircType *t)
{
	return t && (t->kind == TYPE_INT || t->kind == TYPE_BUILTIN_INT) ? t->width : 0;
}

bool circ_type_is_signed(const CircType *t)
{
	return t && t->kind == TYPE_INT && t->is_signed;
}

bool circ_type_is_variadic(const CircType *t)
{
	return t && t->variadic;
}

bool circ_type_is_complete(const CircType *t)
{
	return t && t->kind == TYPE_RECORD && t->complete;
}

const char *circ_type_name(const CircType *t, size_t *len)
{
	const Name *n = t && t->kind == TYPE_RECORD ? t->name : NULL;
	if (len)
		*len = n ? n->len : 0;
	return n ? n->text : NULL;
}

bool circ_type_layout(CircType *t, uint64_t *size, unsigned *align)
{
	bool sized = t && ir_type_sized(t);
	if (size)
		*size = sized ? ir_type_size(t) : 0;
	if (align)
		*align = sized ? ir_type_align(t) : 0;
	return sized;
}
