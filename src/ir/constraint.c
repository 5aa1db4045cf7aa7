#include "ir/constraint.h"

static const struct {
	const char *word, *text;
} class_info[CLASS_COUNT] = {
    [CLASS_ANY] = {"any", "a value"},
    [CLASS_INT] = {"int", "an integer"},
    [CLASS_INTV] = {"intv", "an integer or a vector of integers"},
    [CLASS_NEGATED] = {"negated", "an integer, or a vector of integers or !cir.bool"},
    [CLASS_SINTV] = {"sintv", "a signed integer or a vector of them"},
    [CLASS_UINTV] = {"uintv", "an unsigned integer or a vector of them"},
    [CLASS_FP] = {"fp", "a floating point value"},
    [CLASS_FPV] = {"fpv", "a floating point value or a vector of them"},
    [CLASS_INTBOOL] = {"intbool", "an integer or !cir.bool"},
    [CLASS_NUMBER] = {"number", "an integer or a floating point value"},
    [CLASS_BITS] = {"bits", "an integer, !cir.bool or a vector of them"},
    [CLASS_SCALAR] = {"scalar", "an integer, a floating point value, a pointer or !cir.bool"},
    [CLASS_COMPARED] = {"compared", "an integer, a floating point value, a pointer, !cir.vptr, !cir.bool, a "
                                    "pointer to member or a complex value"},
    [CLASS_BOOL] = {"bool", "!cir.bool"},
    [CLASS_BOOLV] = {"boolv", "!cir.bool or a vector of !cir.bool"},
    [CLASS_PTR] = {"ptr", "a pointer"},
    [CLASS_PTR0] = {"ptr0", "a pointer in the default address space"},
    [CLASS_VPTR] = {"vptr", "!cir.vptr"},
    [CLASS_VOIDP] = {"voidp", "!cir.ptr<!cir.void>"},
    [CLASS_U32] = {"u32", "!cir.int<u, 32>"},
    [CLASS_S32] = {"s32", "!cir.int<s, 32>"},
    [CLASS_U64] = {"u64", "!cir.int<u, 64>"},
    [CLASS_VEC] = {"vec", "a vector"},
    [CLASS_INTVEC] = {"intvec", "a vector of integers"},
    [CLASS_COMPLEX] = {"complex", "a complex value"},
    [CLASS_DATA_MEMBER] = {"dmember", "a !cir.data_member"},
    [CLASS_METHOD] = {"method", "a !cir.method"},
    [CLASS_RECORD] = {"record", "a record"},
    [CLASS_EH] = {"eh", "!cir.eh_token"},
    [CLASS_CLEANUP] = {"cleanup", "!cir.cleanup_token"},
    [CLASS_CATCH] = {"catch", "!cir.catch_token"},
    [CLASS_PAD] = {"pad", "!cir.catch_token or !cir.cleanup_token"},
};

bool type_is_value(const IrType *t)
{
	switch (t->kind) {
	case TYPE_VOID:
	case TYPE_FUNC:
	case TYPE_BITFIELD:
	case TYPE_EH_TOKEN:
	case TYPE_CLEANUP_TOKEN:
	case TYPE_CATCH_TOKEN:
	case TYPE_BUILTIN_FLOAT:
	case TYPE_NONE:
	case TYPE_TOKEN:
	case TYPE_OPAQUE:
		return false;
	case TYPE_VECTOR:
		return !t->scalable; /* parsed, but no target of ours has them */
	default:
		return true;
	}
}

static bool is_voidp(const IrType *t)
{
	return t->kind == TYPE_PTR && t->elem->kind == TYPE_VOID && !t->attr;
}

static bool is_plain_int(const IrType *t, uint32_t width, bool is_signed)
{
	return ir_is_int(t) && t->width == width && t->is_signed == is_signed && !t->bitint;
}

bool class_holds(TypeClass c, const IrType *t)
{
	const IrType *scalar = ir_scalar(t);
	switch (c) {
	case CLASS_ANY:
		return type_is_value(t);
	case CLASS_INT:
		return ir_is_int(t);
	case CLASS_INTV:
		return ir_is_int(scalar);
	case CLASS_NEGATED:
		return ir_is_int(scalar) || (scalar != t && scalar->kind == TYPE_BOOL);
	case CLASS_SINTV:
		return ir_is_int(scalar) && scalar->is_signed;
	case CLASS_UINTV:
		return ir_is_int(scalar) && !scalar->is_signed;
	case CLASS_FP:
		return ir_is_float(t);
	case CLASS_FPV:
		return ir_is_float(scalar);
	case CLASS_INTBOOL:
		return ir_is_int(t) || t->kind == TYPE_BOOL;
	case CLASS_NUMBER:
		return ir_is_int(t) || ir_is_float(t);
	case CLASS_BITS:
		return ir_is_int(scalar) || scalar->kind == TYPE_BOOL;
	case CLASS_COMPARED:
		return class_holds(CLASS_SCALAR, t) || t->kind == TYPE_VPTR || t->kind == TYPE_DATA_MEMBER ||
		       t->kind == TYPE_METHOD || t->kind == TYPE_COMPLEX;
	case CLASS_SCALAR:
		return ir_is_int(t) || ir_is_float(t) || ir_is_ptr(t) || t->kind == TYPE_BOOL;
	case CLASS_BOOL:
		return t->kind == TYPE_BOOL;
	case CLASS_BOOLV:
		return scalar->kind == TYPE_BOOL;
	case CLASS_PTR:
		return ir_is_ptr(t);
	case CLASS_PTR0:
		return ir_is_ptr(t) && !t->attr;
	case CLASS_VPTR:
		return t->kind == TYPE_VPTR;
	case CLASS_VOIDP:
		return is_voidp(t);
	case CLASS_U32:
		return is_plain_int(t, 32, false);
	case CLASS_S32:
		return is_plain_int(t, 32, true);
	case CLASS_U64:
		return is_plain_int(t, 64, false);
	case CLASS_VEC:
		return t->kind == TYPE_VECTOR;
	case CLASS_INTVEC:
		return t->kind == TYPE_VECTOR && ir_is_int(scalar);
	case CLASS_COMPLEX:
		return t->kind == TYPE_COMPLEX;
	case CLASS_DATA_MEMBER:
		return t->kind == TYPE_DATA_MEMBER;
	case CLASS_METHOD:
		return t->kind == TYPE_METHOD;
	case CLASS_RECORD:
		return t->kind == TYPE_RECORD;
	case CLASS_EH:
		return t->kind == TYPE_EH_TOKEN;
	case CLASS_CLEANUP:
		return t->kind == TYPE_CLEANUP_TOKEN;
	case CLASS_CATCH:
		return t->kind == TYPE_CATCH_TOKEN;
	case CLASS_PAD:
		return t->kind == TYPE_CATCH_TOKEN || t->kind == TYPE_CLEANUP_TOKEN;
	case CLASS_COUNT:
		break;
	}
	CHECK(!"no such type class");
	return false;
}

const char *class_text(TypeClass c)
{
	CHECK(c < CLASS_COUNT);
	return class_info[c].text;
}

/* Cutting the columns */

/* The next word between blanks; false at the end. */
static bool next_word(const char **at, Str *word)
{
	while (**at == ' ')
		++*at;
	const char *start = *at;
	while (**at && **at != ' ')
		++*at;
	*word = (Str){start, (size_t)(*at - start)};
	return word->len != 0;
}

static TypeClass find_class(Str word)
{
	for (unsigned c = 0; c < CLASS_COUNT; c++)
		if (str_is(word, class_info[c].word))
			return (TypeClass)c;
	CHECK(!"a type class of ops.def is unknown");
	return CLASS_ANY;
}

static ShapeSlot cut_slot(IrModule *m, Str word)
{
	ShapeSlot slot = {.optional = word.data[word.len - 1] == '?', .many = word.data[word.len - 1] == '*'};
	if (slot.optional || slot.many)
		word.len--;
	if (word.data[0] == '=' || word.data[0] == '.') {
		CHECK(word.len == 2 && word.data[1] >= '0' && word.data[1] <= '9');
		slot.same = word.data[0] == '=';
		slot.element = !slot.same;
		slot.of = (uint8_t)(word.data[1] - '0');
		return slot;
	}
	if (word.data[0] == '@') {
		slot.attr = ir_name(m, (Str){word.data + 1, word.len - 1});
		return slot;
	}
	slot.class = find_class(word);
	return slot;
}

static uint8_t cut_slots(IrModule *m, const char *column, ShapeSlot *slots)
{
	uint8_t n = 0;
	for (Str word; next_word(&column, &word);) {
		CHECK(n < SHAPE_SLOTS && (n == 0 || (!slots[n - 1].optional && !slots[n - 1].many)));
		slots[n++] = cut_slot(m, word);
	}
	return n;
}

static ShapeRange range_of(const ShapeSlot *slots, uint8_t n)
{
	bool many = n && slots[n - 1].many, optional = n && slots[n - 1].optional;
	return (ShapeRange){many || optional ? n - 1U : n, many ? UINT32_MAX : n};
}

static void add_attr(OpShape *s, ShapeAttr a)
{
	CHECK(s->nattrs < SHAPE_ATTRS);
	s->required |= (uint16_t)(a.required << s->nattrs);
	s->attrs[s->nattrs++] = a;
}

static EnumClass find_enum(Str spelling)
{
	int c = ir_enum_class_find(spelling);
	CHECK(c >= 0); /* else an enumeration of ops.def is unknown */
	return (EnumClass)c;
}

/* `name` or `name:kind`. */
static ShapeAttr cut_attr(IrModule *m, Str word, bool required)
{
	static const struct {
		Str word;
		AttrClass class;
	} kinds[] = {
	    {{"int", 3}, ATTR_CLASS_INT},   {{"str", 3}, ATTR_CLASS_STR},   {{"float", 5}, ATTR_CLASS_FLOAT},
	    {{"sym", 3}, ATTR_CLASS_SYM},   {{"type", 4}, ATTR_CLASS_TYPE}, {{"flag", 4}, ATTR_CLASS_FLAG},
	    {{"unit", 4}, ATTR_CLASS_UNIT},
	};
	const char *colon = memchr(word.data, ':', word.len);
	Str name = {word.data, colon ? (size_t)(colon - word.data) : word.len};
	ShapeAttr a = {.name = ir_name(m, name), .required = required};
	if (!colon)
		return a;
	Str kind = {colon + 1, word.len - name.len - 1};
	for (unsigned i = 0; i < ARRAY_LEN(kinds); i++) {
		if (str_equal(kind, kinds[i].word)) {
			a.class = kinds[i].class;
			return a;
		}
	}
	if (kind.data[0] == '<') /* a row of attrs.def: verify_<name> looks into it */
		return a;
	a.class = ATTR_CLASS_ENUM;
	a.enum_class = find_enum(kind);
	return a;
}

/* Attributes named outside of groups are required. */
static void cut_format(IrModule *m, const char *format, OpShape *s)
{
	unsigned depth = 0;
	for (Str w; next_word(&format, &w);) {
		if (str_equal(w, STR("(?")))
			depth++;
		else if (str_equal(w, STR("?)")))
			depth--;
		else if (w.len > 1 && w.data[0] == '?')
			add_attr(s, (ShapeAttr){.name = ir_name(m, (Str){w.data + 1, w.len - 1}),
			                        .class = ATTR_CLASS_UNIT});
		else if (w.len > 1 && w.data[0] == '@')
			add_attr(s, cut_attr(m, (Str){w.data + 1, w.len - 1}, depth == 0));
	}
}

static bool is_same_types(const OpShape *s)
{
	if (s->noperands == 0 || s->noperands + s->nresults < 2)
		return false;
	for (unsigned i = 1; i < s->noperands; i++)
		if (!s->operands[i].same || s->operands[i].of != 0)
			return false;
	for (unsigned i = 0; i < s->nresults; i++)
		if (!s->results[i].same || s->results[i].of != 0)
			return false;
	return true;
}

const OpShape *shape_cut(IrModule *m, OpKind kind)
{
	const OpInfo *info = &op_info[kind];
	OpShape *s = arena_new(&m->arena, OpShape);
	s->noperands = cut_slots(m, info->operands, s->operands);
	s->nresults = cut_slots(m, info->results, s->results);
	s->operand_range = range_of(s->operands, s->noperands);
	s->result_range = range_of(s->results, s->nresults);
	s->same_types = is_same_types(s);
	if (info->format[0] != '!')
		cut_format(m, info->format, s);
	return m->shapes[kind] = s;
}
