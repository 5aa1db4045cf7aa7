/* Record types in all their spellings: cir-reference 2.4. */
#include "text/read/parser.h"

typedef struct RecordText {
	RecordKind kind;
	bool named, incomplete, padded, has_body;
	Str name;
	const char *name_at;
	RecordBody body;
	VEC(IrType *) members;
	VEC(uint8_t) marks;
	bool marked; /* members carry marks: the newest spelling */
} RecordText;

static bool mark_word(Token t, MemberMark *out)
{
	static const char *const words[] = {"data", "pad", "empty", "bitfield"};
	for (unsigned i = 0; i < ARRAY_LEN(words); i++) {
		if (t.kind == TOK_WORD && str_is(token_str(t), words[i])) {
			*out = (MemberMark)i;
			return true;
		}
	}
	return false;
}

/* `bitfield !cir.array<T x 0>`: how a bit-field of no width was written for a few weeks of 2026. */
static bool is_zero_width(const RecordText *r, MemberMark mark, const IrType *t)
{
	return mark == MARK_BITFIELD && r->kind != RECORD_UNION && t->kind == TYPE_ARRAY && t->count == 0 &&
	       (ir_is_int(t->elem) || t->elem->kind == TYPE_BOOL);
}

static IrType *zero_width(Parser *p, IrType *declared)
{
	uint32_t width = 0;
	uint8_t unnamed = 1;
	return ir_type_bitfield(p->m, NULL, &declared, &width, &unnamed, 1);
}

static void set_marked(Parser *p, RecordText *r, bool marked)
{
	r->marked = marked;
	if (marked)
		parse_tell_dated(p, DATED_MARKS);
}

static bool member(Parser *p, RecordText *r)
{
	MemberMark mark = MARK_DATA;
	Token t = peek(p);
	bool marked = mark_word(t, &mark);
	if (r->members.len == 0 && !marked)
		parse_older(p, t.at, "members without 'data', 'pad', 'empty' or 'bitfield'");
	if (r->members.len == 0)
		set_marked(p, r, marked);
	else if (marked != r->marked)
		return expected(p, r->marked ? "a record member kind" : "type");
	if (marked) {
		if (mark == MARK_PAD && r->kind == RECORD_UNION)
			return parse_fail(p, t.at, "a union member cannot be marked pad");
		advance(p);
	}
	const char *where = peek(p).at;
	IrType *type = parse_type(p);
	if (!type)
		return false;
	type = parse_pointers_to_cir_type(p, where, type);
	if (is_zero_width(r, mark, type)) {
		parse_older(p, where, "an array for a bit-field of no width");
		mark = MARK_EMPTY;
		type = zero_width(p, type->elem);
	}
	vec_push(p->mem, &r->members, type);
	vec_push(p->mem, &r->marks, (uint8_t)mark);
	return true;
}

static bool members(Parser *p, RecordText *r, int close)
{
	while (!at(p, close)) {
		if (close == '>' && at(p, TOK_ATTR)) { /* A: an AST attribute ends the list */
			parse_tell_ast(p);
			advance(p);
			break;
		}
		if (!member(p, r))
			return false;
		if (!accept(p, ','))
			break;
	}
	return expect(p, close);
}

/* `, padding = { T }` of a union */
static bool union_padding(Parser *p, RecordText *r)
{
	if (!expect(p, '=') || !expect(p, '{'))
		return false;
	MemberMark mark;
	if (mark_word(peek(p), &mark))
		return parse_fail(p, peek(p).at,
		                  "the tail padding of a union cannot have a mark such as 'data' or 'pad'");
	r->body.padding = parse_type(p);
	return r->body.padding && expect(p, '}');
}

/* `#cir.record.decl.ast` and its like carry nothing. */
static void skip_ast(Parser *p)
{
	if (!at(p, TOK_ATTR))
		return;
	parse_tell_ast(p);
	parse_older(p, peek(p).at, "an attribute after the members of a record");
	advance(p);
}

static bool tail(Parser *p, RecordText *r)
{
	while (accept(p, ',')) {
		if (r->kind == RECORD_UNION && accept_word(p, STR("padding"))) {
			if (!union_padding(p, r))
				return false;
		} else if (accept_word(p, STR("std_type_info"))) {
			if (!expect(p, '=') || !(r->body.std_type_info = parse_attr(p)))
				return false;
		} else {
			return expected(p, r->kind == RECORD_UNION ? "'padding' or 'std_type_info'"
			                                           : "'std_type_info'");
		}
	}
	skip_ast(p);
	return expect(p, '>');
}

bool parse_is_filler(const IrType *t)
{
	const IrType *byte = t->kind == TYPE_ARRAY ? t->elem : t;
	return ir_is_int(byte) && byte->width == 8 && !byte->is_signed && !byte->bitint;
}

/* Of a struct without marks: the only member that can be padding. Of several, where the struct has a name, any may be;
 * text/old/padding.c looks again when the whole text is known. One without a name is the type of a constant, for which padding is
 * data like other. */
static void mark_padding(RecordText *r)
{
	MemberMark several = r->named ? MARK_UNTOLD : MARK_DATA;
	uint32_t fillers = 0;
	for (uint32_t i = 0; i < r->members.len; i++)
		fillers += parse_is_filler(r->members.data[i]);
	for (uint32_t i = 0; i < r->members.len; i++)
		if (parse_is_filler(r->members.data[i]))
			r->marks.data[i] = (uint8_t)(fillers == 1 ? MARK_PAD : several);
}

/* U: `padded` says that there is padding; in a union it is the last member, and without members it is implied. */
static bool apply_padded(Parser *p, RecordText *r)
{
	if (!r->padded)
		return true;
	if (r->kind == RECORD_UNION)
		r->body.padding = r->members.len ? vec_pop(&r->members) : ir_type_int(p->m, 8, false, false);
	else if (!r->members.len)
		return parse_fail(p, r->name_at, "a padded record must have a member");
	else if (!r->marked)
		mark_padding(r);
	return true;
}

static bool is_open(const Parser *p, const IrType *record)
{
	for (uint32_t i = p->open_records_base; i < p->open_records.len; i++)
		if (p->open_records.data[i] == record)
			return true;
	return false;
}

static void finish_body(RecordText *r)
{
	r->body.members = r->members.data;
	r->body.marks = r->marks.data;
	r->body.nmembers = r->members.len;
}

static bool check_bitfields(Parser *p, const RecordText *r)
{
	for (uint32_t i = 0; r->kind == RECORD_UNION && i < r->members.len; i++) {
		const IrType *t = r->members.data[i];
		if (ir_is_zero_width(t))
			return parse_fail(
			    p, r->name_at,
			    "union bit-field member at index %u must own its access unit storage", i);
	}
	return true;
}

static IrType *named_body(Parser *p, RecordText *r, bool era_a)
{
	IrType *record = ir_type_record(p->m, r->kind, r->name);
	if (is_open(p, record)) {
		parse_fail(p, r->name_at, "record already defined");
		return NULL;
	}
	bool known = record->complete;
	vec_push(p->mem, &p->open_records, record);
	bool ok = era_a ? members(p, r, '>') : members(p, r, '}') && tail(p, r);
	p->open_records.len--;
	if (!ok || !apply_padded(p, r) || !check_bitfields(p, r))
		return NULL;
	bool told = r->kind == RECORD_UNION || !r->padded || r->marked;
	finish_body(r);
	if (known && (!told || ir_is_padding_untold(record)) && r->members.len == record->nmembers)
		r->body.marks = record->marks; /* text/old/padding.c may have changed them */
	if (!ir_record_set_body(p->m, record, &r->body)) {
		parse_fail(p, r->name_at, "record '%.*s' is already defined with another body",
		           (int)r->name.len, r->name.data);
		return NULL;
	}
	if (!known && !told && record->nmembers)
		vec_push(p->mem, &p->padded_records, record);
	if (!known)
		/* of an earlier mention, struct and class may have been mixed up */
		record->record_kind = r->kind;
	return record;
}

static IrType *anonymous_body(Parser *p, RecordText *r)
{
	if (!members(p, r, '}') || !tail(p, r) || !apply_padded(p, r) || !check_bitfields(p, r))
		return NULL;
	finish_body(r);
	return ir_type_anon_record(p->m, r->kind, &r->body);
}

/* `!cir.struct<"S">`: the record whose body this stands in. */
static IrType *self_reference(Parser *p, RecordText *r)
{
	IrType *record = ir_type_record(p->m, r->kind, r->name);
	bool open = record->complete;
	for (uint32_t i = 0; i < p->open_records.len && !open; i++)
		open = p->open_records.data[i] == record;
	if (!open) {
		parse_fail(p, r->name_at, "invalid self-reference within record");
		return NULL;
	}
	advance(p);
	return record;
}

static RecordKind kind_word(Parser *p, Str keyword)
{
	const char *where = peek(p).at;
	if (accept_word(p, STR("class")))
		return RECORD_CLASS;
	RecordKind kind = accept_word(p, STR("struct")) ? RECORD_STRUCT : RECORD_UNION;
	if (kind == RECORD_STRUCT || accept_word(p, STR("union"))) {
		if (!str_equal(keyword, STR("record"))) {
			parse_older(p, where, "'struct' or 'union' inside of the brackets");
			parse_tell_dated(p, DATED_STRUCT_STRUCT);
		}
		return kind;
	}
	return str_equal(keyword, STR("union")) ? RECORD_UNION : RECORD_STRUCT;
}

/* The name, if there is one. */
static bool record_name(Parser *p, RecordText *r)
{
	r->name_at = peek(p).at;
	if (!at(p, TOK_STRING))
		return true;
	r->named = true;
	if (!parse_string(p, &r->name))
		return false;
	return r->name.len || at(p, ',') || at(p, '{') ||
	       parse_fail(p, r->name_at, "identified records cannot have an empty name");
}

IrType *parse_record_head(Parser *p)
{
	struct Failure failure = p->failure;
	Token t = peek(p);
	bool record =
	    t.kind == TOK_TYPE && (token_is(t, STR("!cir.struct")) || token_is(t, STR("!cir.union")) ||
	                           token_is(t, STR("!cir.record")));
	if (!record)
		return NULL;
	RecordText r = {0};
	advance(p);
	if (accept(p, '<'))
		r.kind = kind_word(p, (Str){t.at + 5, t.len - 5});
	bool named = at(p, TOK_STRING) && record_name(p, &r) && r.name.len;
	p->failure = failure;
	return named ? ir_type_record(p->m, r.kind, r.name) : NULL;
}

static IrType *named_record(Parser *p, RecordText *r)
{
	if (at(p, '>'))
		return self_reference(p, r);
	const char *where = peek(p).at;
	if (accept(p, ',')) { /* A: `<"S", T, U>`, and `<"", T>` for one without a name */
		parse_older(p, where, "members without braces");
		if (accept_word(p, STR("incomplete")))
			return expect(p, '>') ? ir_type_record(p->m, r->kind, r->name) : NULL;
		parse_in_era_a(p); /* i8 is no other's there */
		if (r->name.len)
			return named_body(p, r, true);
		if (!members(p, r, '>'))
			return NULL;
		finish_body(r);
		return ir_type_anon_record(p->m, r->kind, &r->body);
	}
	if (!accept(p, '{')) {
		expected(p, "'{'");
		return NULL;
	}
	return named_body(p, r, false);
}

IrType *parse_record_type(Parser *p, Str keyword)
{
	if (!expect(p, '<'))
		return NULL;
	RecordText r = {.kind = kind_word(p, keyword)};
	if (str_equal(keyword, STR("record")))
		parse_tell_dated(p, DATED_RECORD);
	if (!record_name(p, &r))
		return NULL;
	if (accept_word(p, STR("incomplete"))) {
		if (!r.named) {
			parse_fail(p, r.name_at, "anonymous records must be complete");
			return NULL;
		}
		skip_ast(p);
		return expect(p, '>') ? ir_type_record(p->m, r.kind, r.name) : NULL;
	}
	for (;;) {
		const char *where = peek(p).at;
		if (!r.body.packed && accept_word(p, STR("packed"))) {
			r.body.packed = true;
		} else if (!r.padded && accept_word(p, STR("padded"))) {
			parse_older(p, where, "'padded', which does not specify which members are padding");
			r.padded = true;
		} else {
			break;
		}
	}
	if (r.named && (r.name.len || at(p, ',')))
		return named_record(p, &r);
	return expect(p, '{') ? anonymous_body(p, &r) : NULL;
}
