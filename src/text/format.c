#include "text/format.h"

#include "base/vec.h"

typedef struct Cutter {
	IrModule *m;
	Arena *arena;
	VEC(FmtElem) elems;
	uint32_t open[8]; /* groups and sets being cut */
	uint32_t nopen;
} Cutter;

static const char *const custom_names[CUSTOM_COUNT] = {
#define CUSTOM_FORMAT(name) [CUSTOM_##name] = #name,
#include "text/custom.def"
};

static uint16_t custom_find(Str name)
{
	for (unsigned i = 0; i < CUSTOM_COUNT; i++)
		if (str_equal(str_of(custom_names[i]), name))
			return (uint16_t)i;
	CHECK(!"a custom format that custom.def does not list");
	return 0;
}

static uint16_t enum_class_find(Str spelling)
{
	for (unsigned i = 0; i < ENUM_CLASS_COUNT; i++)
		if (str_equal(str_of(ir_enum_info[i].spelling), spelling))
			return (uint16_t)i;
	CHECK(!"a format names an unknown enumeration");
	return 0;
}

static uint16_t attr_row_find(Str name)
{
	for (unsigned i = 0; i < ATTR_ROW_COUNT; i++)
		if (str_equal(str_of(ir_attr_row_info[i].name), name))
			return (uint16_t)i;
	CHECK(!"a format names an unknown row of attrs.def");
	return 0;
}

static void set_value_kind(FmtElem *e, Str kind)
{
	static const struct {
		const char *word;
		FmtValue value;
	} plain[] = {
	    {"", FMT_VALUE_ANY},      {"int", FMT_VALUE_INT},   {"float", FMT_VALUE_FLOAT},
	    {"str", FMT_VALUE_STR},   {"sym", FMT_VALUE_SYM},   {"type", FMT_VALUE_TYPE},
	    {"flag", FMT_VALUE_FLAG}, {"unit", FMT_VALUE_UNIT},
	};
	for (unsigned i = 0; i < ARRAY_LEN(plain); i++) {
		if (str_equal(str_of(plain[i].word), kind)) {
			e->value = plain[i].value;
			return;
		}
	}
	if (kind.data[0] == '<') {
		e->value = FMT_VALUE_PARAMS;
		e->index = attr_row_find((Str){kind.data + 1, kind.len - 2});
		return;
	}
	e->value = FMT_VALUE_ENUM;
	e->index = enum_class_find(kind);
}

static uint16_t number(Str digits)
{
	CHECK(digits.len == 1 && digits.data[0] >= '0' && digits.data[0] <= '9');
	return (uint16_t)(digits.data[0] - '0');
}

static Str tail(Str s, size_t n)
{
	return (Str){s.data + n, s.len - n};
}

static FmtElem numbered(FmtKind kind, Str digits)
{
	return (FmtElem){.kind = kind, .index = number(digits)};
}

static FmtElem attribute(Cutter *c, Str word)
{
	const char *colon = memchr(word.data, ':', word.len);
	Str name = {word.data + 1, (colon ? (size_t)(colon - word.data) : word.len) - 1};
	FmtElem e = {.kind = FMT_ATTR, .name = ir_name(c->m, name)};
	set_value_kind(&e, colon ? tail(word, (size_t)(colon - word.data) + 1) : (Str){"", 0});
	return e;
}

static bool is_digit(Str s, size_t i)
{
	return s.len == i + 1 && s.data[i] >= '0' && s.data[i] <= '9';
}

static FmtElem element(Cutter *c, Str w, uint16_t noperands)
{
	if (str_equal(w, STR("(?")))
		return (FmtElem){.kind = FMT_GROUP};
	if (str_equal(w, STR("?)")))
		return (FmtElem){.kind = FMT_GROUP_END};
	if (str_equal(w, STR("{*")))
		return (FmtElem){.kind = FMT_SET};
	if (str_equal(w, STR("*}")))
		return (FmtElem){.kind = FMT_SET_END};
	if (str_equal(w, STR("{}")))
		return (FmtElem){.kind = FMT_DICT};
	if (str_equal(w, STR("_")))
		return (FmtElem){.kind = FMT_SPACE};
	if (str_equal(w, STR("$*")))
		return (FmtElem){.kind = FMT_OPERANDS, .index = noperands};
	if (str_equal(w, STR("t*")))
		return (FmtElem){.kind = FMT_OPERAND_TYPES, .index = noperands};
	if (w.data[0] == '?' && w.len > 1)
		return (FmtElem){.kind = FMT_FLAG, .text = tail(w, 1), .name = ir_name(c->m, tail(w, 1))};
	if (w.data[0] == '@')
		return attribute(c, w);
	if (w.data[0] == '!')
		return (FmtElem){.kind = FMT_CUSTOM, .index = custom_find(tail(w, 1))};
	if (is_digit(w, 1)) {
		static const struct {
			char sigil;
			FmtKind kind;
		} sigils[] = {{'$', FMT_OPERAND},
		              {'t', FMT_OPERAND_TYPE},
		              {'r', FMT_RESULT_TYPE},
		              {'#', FMT_REGION},
		              {'^', FMT_SUCC}};
		for (unsigned i = 0; i < ARRAY_LEN(sigils); i++)
			if (w.data[0] == sigils[i].sigil)
				return numbered(sigils[i].kind, tail(w, 1));
	}
	return (FmtElem){.kind = FMT_LITERAL, .text = w};
}

/* A group is present when its first attribute or operand is. */
static void close_group(Cutter *c)
{
	CHECK(c->nopen > 0);
	uint32_t begin = c->open[--c->nopen];
	FmtElem *open = &c->elems.data[begin];
	open->skip = (uint16_t)c->elems.len;
	for (uint32_t i = begin + 1; i < c->elems.len && !open->anchor; i++) {
		FmtKind k = c->elems.data[i].kind;
		if (k == FMT_ATTR || k == FMT_OPERAND || k == FMT_OPERANDS || k == FMT_OPERAND_TYPE ||
		    k == FMT_REGION || k == FMT_RESULT_TYPE || k == FMT_SUCC)
			open->anchor = (uint16_t)i;
	}
	CHECK(open->kind == FMT_SET || open->anchor);
}

const FmtElem *format_cut(IrModule *m, Arena *arena, const char *format)
{
	Cutter c = {.m = m, .arena = arena};
	uint16_t noperands = 0; /* those named so far: where $* and t* begin */
	for (const char *p = format; *p;) {
		size_t len = strcspn(p, " ");
		if (len) {
			FmtElem e = element(&c, (Str){p, len}, noperands);
			if (e.kind == FMT_OPERAND && e.index >= noperands)
				noperands = (uint16_t)(e.index + 1);
			if (e.kind == FMT_GROUP || e.kind == FMT_SET) {
				CHECK(c.nopen < ARRAY_LEN(c.open));
				c.open[c.nopen++] = c.elems.len;
			}
			vec_push(arena, &c.elems, e);
			if (e.kind == FMT_GROUP_END || e.kind == FMT_SET_END)
				close_group(&c);
		}
		p += len + (p[len] == ' ');
	}
	CHECK(c.nopen == 0);
	vec_push(arena, &c.elems, ((FmtElem){.kind = FMT_END}));
	return c.elems.data;
}
