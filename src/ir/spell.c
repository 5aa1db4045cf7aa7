#include "ir/spell.h"

#include "ir/module.h"

static void put(Speller *s, Str text)
{
	buf_put(s->arena, s->out, text);
}

static void put_char(Speller *s, char c)
{
	buf_char(s->arena, s->out, c);
}

void spell_uint(Arena *a, StrBuf *out, uint64_t v)
{
	char digits[20];
	unsigned at = sizeof digits;
	do {
		digits[--at] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	buf_put(a, out, (Str){digits + at, sizeof digits - at});
}

void spell_int(Arena *a, StrBuf *out, int64_t v)
{
	if (v < 0)
		buf_char(a, out, '-');
	spell_uint(a, out, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Can it stand without quotes, as a symbol or a key? (reference 1.1: bare id) */
static bool is_bare_id(Str s)
{
	if (s.len == 0 || !is_letter(s.data[0]))
		return false;
	for (size_t i = 1; i < s.len; i++)
		if (!is_letter(s.data[i]) && !is_digit(s.data[i]) && s.data[i] != '$' && s.data[i] != '.')
			return false;
	return true;
}

void spell_string(Arena *a, StrBuf *out, Str bytes)
{
	static const char hex[] = "0123456789ABCDEF";
	buf_char(a, out, '"');
	for (size_t i = 0; i < bytes.len; i++) {
		unsigned char c = (unsigned char)bytes.data[i];
		if (c == '\\') {
			buf_put(a, out, STR("\\\\"));
		} else if (c >= 0x20 && c < 0x7f && c != '"') {
			buf_char(a, out, (char)c);
		} else {
			char escape[3] = {'\\', hex[c >> 4], hex[c & 15]};
			buf_put(a, out, (Str){escape, 3});
		}
	}
	buf_char(a, out, '"');
}

void spell_symbol(Arena *a, StrBuf *out, const Name *n)
{
	buf_char(a, out, '@');
	if (is_bare_id(name_str(n)))
		buf_put(a, out, name_str(n));
	else
		spell_string(a, out, name_str(n));
}

void spell_key(Arena *a, StrBuf *out, const Name *n)
{
	if (is_bare_id(name_str(n)))
		buf_put(a, out, name_str(n));
	else
		spell_string(a, out, name_str(n));
}

static bool being_written(const Speller *s, const IrType *record)
{
	for (uint32_t i = 0; i < s->ninside; i++)
		if (s->inside[i] == record)
			return true;
	return false;
}

static void spell_types(Speller *s, IrType *const *types, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			put(s, STR(", "));
		spell_type(s, types[i]);
	}
}

/* Records: reference 2.4, the newest spelling. */

static void spell_members(Speller *s, const IrType *t)
{
	static const char *const marks[] = {[MARK_DATA] = "data ",
	                                    [MARK_PAD] = "pad ",
	                                    [MARK_EMPTY] = "empty ",
	                                    [MARK_BITFIELD] = "bitfield ",
	                                    [MARK_UNTOLD] = "pad "};
	put_char(s, '{');
	for (uint32_t i = 0; i < t->nmembers; i++) {
		if (i)
			put(s, STR(", "));
		put(s, str_of(marks[t->marks ? t->marks[i] : MARK_DATA]));
		spell_type(s, t->members[i]);
	}
	put_char(s, '}');
}

static void spell_record_body(Speller *s, const IrType *t)
{
	if (t->packed)
		put(s, STR("packed "));
	spell_members(s, t);
	if (t->padding) {
		put(s, STR(", padding = {"));
		spell_type(s, t->padding);
		put_char(s, '}');
	}
	if (t->attr) {
		put(s, STR(", std_type_info = "));
		spell_attr(s, t->attr);
	}
}

static void spell_record(Speller *s, const IrType *t)
{
	put(s, t->record_kind == RECORD_UNION ? STR("!cir.union<") : STR("!cir.struct<"));
	if (t->record_kind == RECORD_CLASS)
		put(s, STR("class "));
	if (t->name)
		spell_string(s->arena, s->out, name_str(t->name));
	bool mention = t->name && t->complete && (!s->type_alias || being_written(s, t));
	if (!mention && t->name)
		put_char(s, ' ');
	if (!t->complete) {
		put(s, STR("incomplete"));
	} else if (!mention) {
		CHECK(s->ninside < TYPE_DEPTH_MAX);
		s->inside[s->ninside++] = t;
		spell_record_body(s, t);
		s->ninside--;
	}
	put_char(s, '>');
}

static void spell_bitfield(Speller *s, const IrType *t)
{
	put(s, STR("!cir.bitfield<"));
	if (t->elem) {
		spell_type(s, t->elem);
		put(s, STR(", "));
	}
	put_char(s, '[');
	for (uint32_t i = 0; i < t->nmembers; i++) {
		put(s, i ? STR(", #cir.bitfield_decl<") : STR("#cir.bitfield_decl<"));
		spell_type(s, t->members[i]);
		put(s, STR(", "));
		spell_uint(s->arena, s->out, t->widths[i]);
		put(s, t->marks && t->marks[i] ? STR(", unnamed>") : STR(">"));
	}
	put(s, STR("]>"));
}

static void spell_func(Speller *s, const IrType *t)
{
	put(s, STR("!cir.func<("));
	spell_types(s, t->members, t->nmembers);
	if (t->variadic)
		put(s, t->nmembers ? STR(", ...") : STR("..."));
	put_char(s, ')');
	if (t->elem->kind != TYPE_VOID) {
		put(s, STR(" -> "));
		spell_type(s, t->elem);
	}
	put_char(s, '>');
}

void spell_address_space(Speller *s, const IrAttr *space)
{
	if (space->kind == ATTR_ENUM) {
		put(s, STR("lang_address_space("));
		put(s, str_of(ir_enum_info[space->enum_class].words[space->bits]));
	} else {
		put(s, STR("target_address_space("));
		spell_uint(s->arena, s->out, space->bits);
	}
	put_char(s, ')');
}

static void spell_ptr(Speller *s, const IrType *t)
{
	put(s, STR("!cir.ptr<"));
	spell_type(s, t->elem);
	if (t->attr) {
		put(s, STR(", "));
		spell_address_space(s, t->attr);
	}
	put_char(s, '>');
}

/* `N x T`; a scalable vector's count stands in brackets. */
static void spell_vector(Speller *s, const IrType *t)
{
	put(s, t->scalable ? STR("!cir.vector<[") : STR("!cir.vector<"));
	spell_uint(s->arena, s->out, t->count);
	put(s, t->scalable ? STR("] x ") : STR(" x "));
	spell_type(s, t->elem);
	put_char(s, '>');
}

static void spell_array(Speller *s, const IrType *t)
{
	put(s, STR("!cir.array<"));
	spell_type(s, t->elem);
	put(s, STR(" x "));
	spell_uint(s->arena, s->out, t->count);
	put_char(s, '>');
}

static void spell_int_type(Speller *s, const IrType *t)
{
	put(s, t->is_signed ? STR("!cir.int<s, ") : STR("!cir.int<u, "));
	spell_uint(s->arena, s->out, t->width);
	put(s, t->bitint ? STR(", bitint>") : STR(">"));
}

static void spell_wrapped(Speller *s, Str head, const IrType *inner)
{
	put(s, head);
	spell_type(s, inner);
	put_char(s, '>');
}

static void spell_in_class(Speller *s, Str head, const IrType *t)
{
	put(s, head);
	spell_type(s, t->elem);
	put(s, STR(" in "));
	spell_type(s, t->members[0]);
	if (t->inheritance != MS_UNTOLD) {
		put(s, STR(", "));
		put(s, str_of(ir_inheritance_word(t->inheritance)));
	}
	put_char(s, '>');
}

/* Types that are one word; NULL for the others. */
static const char *const plain[TYPE_KIND_COUNT] = {
    [TYPE_VOID] = "!cir.void",
    [TYPE_BOOL] = "!cir.bool",
    [TYPE_HALF] = "!cir.f16",
    [TYPE_BF16] = "!cir.bf16",
    [TYPE_FLOAT] = "!cir.float",
    [TYPE_DOUBLE] = "!cir.double",
    [TYPE_F80] = "!cir.f80",
    [TYPE_F128] = "!cir.f128",
    [TYPE_VPTR] = "!cir.vptr",
    [TYPE_EH_TOKEN] = "!cir.eh_token",
    [TYPE_CLEANUP_TOKEN] = "!cir.cleanup_token",
    [TYPE_CATCH_TOKEN] = "!cir.catch_token",
    [TYPE_INDEX] = "index",
    [TYPE_NONE] = "none",
    [TYPE_TOKEN] = "token",
};

void spell_type(Speller *s, const IrType *t)
{
	if ((s->limit && s->out->len > s->limit) || (s->type_alias && s->type_alias(s, t)))
		return;
	if (plain[t->kind]) {
		put(s, str_of(plain[t->kind]));
		return;
	}
	switch (t->kind) {
	case TYPE_INT:
		spell_int_type(s, t);
		break;
	case TYPE_LONG_DOUBLE:
		spell_wrapped(s, STR("!cir.long_double<"), t->elem);
		break;
	case TYPE_COMPLEX:
		spell_wrapped(s, STR("!cir.complex<"), t->elem);
		break;
	case TYPE_PTR:
		spell_ptr(s, t);
		break;
	case TYPE_ARRAY:
		spell_array(s, t);
		break;
	case TYPE_VECTOR:
		spell_vector(s, t);
		break;
	case TYPE_RECORD:
		spell_record(s, t);
		break;
	case TYPE_BITFIELD:
		spell_bitfield(s, t);
		break;
	case TYPE_FUNC:
		spell_func(s, t);
		break;
	case TYPE_METHOD:
		spell_in_class(s, STR("!cir.method<"), t);
		break;
	case TYPE_DATA_MEMBER:
		spell_in_class(s, STR("!cir.data_member<"), t);
		break;
	case TYPE_BUILTIN_INT:
		put_char(s, 'i');
		spell_uint(s->arena, s->out, t->width);
		break;
	case TYPE_BUILTIN_FLOAT:
	case TYPE_OPAQUE:
		put(s, name_str(t->name));
		break;
	default:
		CHECK(false && "a type kind without a spelling");
	}
}

Str ir_attr_text(Arena *a, const IrAttr *attr, uint32_t limit)
{
	StrBuf out = {0};
	Speller s = {.arena = a, .out = &out, .limit = limit};
	spell_attr(&s, attr);
	return (Str){out.data, out.len < limit ? out.len : limit};
}

/* For messages */

/* A type that holds another twice, and so on, has a text that grows with the power of its depth; a message has the cause behind it. */
enum { MESSAGE_MAX = 800 };

static const char *finish_message(Speller *s)
{
	if (s->out->len > s->limit) {
		s->out->len = s->limit;
		put(s, STR("..."));
	}
	put_char(s, '\0');
	return s->out->data;
}

const char *ir_type_str(Arena *a, const IrType *t)
{
	StrBuf out = {0};
	Speller s = {.arena = a, .out = &out, .limit = MESSAGE_MAX};
	spell_type(&s, t);
	return finish_message(&s);
}

const char *ir_attr_str(Arena *a, const IrAttr *attr)
{
	StrBuf out = {0};
	Speller s = {.arena = a, .out = &out, .limit = MESSAGE_MAX};
	spell_attr(&s, attr);
	return finish_message(&s);
}
