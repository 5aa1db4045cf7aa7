/* Reading what a format of ops.def says, element by element. */
#include "text/read/parser.h"

CustomParser *const custom_parsers[CUSTOM_COUNT] = {
#define CUSTOM_FORMAT(name) [CUSTOM_##name] = parse_custom_##name,
#include "text/custom.def"
};

/* Elements of a format */

static OperandRef *operand_slot(Parser *p, const Frame *f, uint32_t index)
{
	while (p->operands.len - f->operands <= index)
		push_operand(p, (OperandRef){0});
	return &p->operands.data[f->operands + index];
}

static bool read_operand(Parser *p, const Frame *f, uint32_t index)
{
	OperandRef r;
	if (!parse_operand(p, &r))
		return false;
	OperandRef *slot = operand_slot(p, f, index);
	r.type = slot->type;
	*slot = r;
	return true;
}

static bool read_operands(Parser *p, const Frame *f, uint32_t index)
{
	do {
		if (!read_operand(p, f, index++))
			return false;
	} while (accept(p, ','));
	return true;
}

static bool read_operand_type(Parser *p, const Frame *f, uint32_t index)
{
	IrType *t = parse_type(p);
	if (!t)
		return false;
	operand_slot(p, f, index)->type = t;
	return true;
}

static bool read_operand_types(Parser *p, const Frame *f, uint32_t index)
{
	const char *where = peek(p).at;
	uint32_t n = pushed_operands(p, f), i = index;
	do {
		if (i >= n)
			return parse_fail(p, where, "expected %u types, one for each operand", n - index);
		if (!read_operand_type(p, f, i++))
			return false;
	} while (accept(p, ','));
	return i == n || parse_fail(p, where, "expected %u types, one for each operand", n - index);
}

static bool empty_parentheses(Parser *p)
{
	Lexer begin = p->lx;
	if (accept(p, '(') && accept(p, ')'))
		return true;
	p->lx = begin;
	return false;
}

/* `()` is no result */
static bool read_result_type(Parser *p, const Frame *f, uint32_t index)
{
	if (op_shape(p, f->kind)->optional_result && empty_parentheses(p))
		return true;
	IrType *t = parse_type(p);
	while (p->results.len - f->results <= index)
		push_result(p, NULL);
	p->results.data[f->results + index] = t;
	return t != NULL;
}

bool parse_successor(Parser *p)
{
	if (!at(p, TOK_BLOCK))
		return expected(p, "block name, '^name'");
	SuccRef s = {.name = peek(p), .first = p->succ_args.len};
	advance(p);
	if (accept(p, '(') && !accept(p, ')')) {
		do {
			OperandRef r;
			if (!parse_operand(p, &r))
				return false;
			vec_push(p->mem, &p->succ_args, r);
		} while (accept(p, ','));
		if (!expect(p, ':'))
			return false;
		for (uint32_t i = s.first; i < p->succ_args.len; i++) {
			if (i > s.first && !expect(p, ','))
				return false;
			IrType *t = parse_type(p);
			if (!t)
				return false;
			p->succ_args.data[i].type = t;
		}
		if (!expect(p, ')'))
			return false;
	}
	s.nargs = p->succ_args.len - s.first;
	vec_push(p->mem, &p->succs, s);
	return true;
}

bool parse_op_dict(Parser *p, Frame *f)
{
	f->dict_read = true;
	return !at(p, '{') || parse_dict_onto_attrs(p, f->attrs);
}

static const IrAttr *read_value(Parser *p, const FmtElem *e)
{
	Token t = peek(p);
	Name *symbol;
	IrType *type;
	Str s;
	int word;
	switch (e->value) {
	case FMT_VALUE_ANY:
		return parse_attr(p);
	case FMT_VALUE_INT:
		if (t.kind != TOK_INT) {
			expected(p, "integer value");
			return NULL;
		}
		advance(p);
		return parse_i64(p, t);
	case FMT_VALUE_FLOAT:
		if (t.kind != TOK_FLOAT) {
			expected(p, "floating point value");
			return NULL;
		}
		return parse_number(p);
	case FMT_VALUE_STR:
		return parse_string(p, &s) ? ir_attr_string(p->m, s) : NULL;
	case FMT_VALUE_SYM:
		return (symbol = parse_symbol(p)) ? ir_attr_symbol(p->m, symbol) : NULL;
	case FMT_VALUE_TYPE:
		return (type = parse_type(p)) ? ir_attr_type(p->m, type) : NULL;
	case FMT_VALUE_FLAG:
		if (!at_word(p, STR("true")) && !at_word(p, STR("false"))) {
			expected(p, "'true' or 'false'");
			return NULL;
		}
		advance(p);
		return ir_attr_flag(p->m, t.len == 4);
	case FMT_VALUE_UNIT:
		return expect_word(p, name_str(e->name)) ? p->unit : NULL;
	case FMT_VALUE_ENUM:
		word = parse_enum_word(p, (EnumClass)e->index);
		return word >= 0 ? ir_attr_enum(p->m, (EnumClass)e->index, (unsigned)word) : NULL;
	case FMT_VALUE_PARAMS:
		return parse_unprefixed_params(p, (AttrRow)e->index);
	}
	return NULL;
}

static bool read_attr(Parser *p, const FmtElem *e)
{
	const IrAttr *a = read_value(p, e);
	if (a)
		push_attr(p, e->name, a);
	return a != NULL;
}

static bool at_literal(const Parser *p, Str text)
{
	return peek(p).kind != TOK_STRING && token_is(peek(p), text);
}

static bool literal(Parser *p, Str text)
{
	if (!at_literal(p, text))
		return expected(p, arena_printf(p->mem, "'%.*s'", (int)text.len, text.data));
	advance(p);
	return true;
}

/* Can an attribute element begin here? Of those of any kind, only what no op begins with. */
static bool attr_begins(const Parser *p, const FmtElem *e)
{
	Token t = peek(p);
	switch (e->value) {
	case FMT_VALUE_ANY:
		return t.kind == '[' || t.kind == TOK_ATTR || t.kind == TOK_STRING || t.kind == TOK_INT ||
		       t.kind == TOK_SYMBOL;
	case FMT_VALUE_INT:
		return t.kind == TOK_INT;
	case FMT_VALUE_FLOAT:
		return t.kind == TOK_FLOAT;
	case FMT_VALUE_STR:
		return t.kind == TOK_STRING;
	case FMT_VALUE_SYM:
		return t.kind == TOK_SYMBOL;
	case FMT_VALUE_TYPE:
		return token_begins_type(t);
	case FMT_VALUE_FLAG:
		return at_word(p, STR("true")) || at_word(p, STR("false"));
	case FMT_VALUE_UNIT:
		return at_word(p, name_str(e->name));
	case FMT_VALUE_ENUM:
		return t.kind == TOK_WORD && ir_enum_find((EnumClass)e->index, token_str(t)) >= 0;
	case FMT_VALUE_PARAMS:
		return t.kind == '<' || t.kind == TOK_ATTR;
	}
	return false;
}

static bool begins(const Parser *p, const FmtElem *e)
{
	switch (e->kind) {
	case FMT_LITERAL:
	case FMT_FLAG:
		return at_literal(p, e->text);
	case FMT_ATTR:
		return attr_begins(p, e);
	case FMT_OPERAND:
	case FMT_OPERANDS:
		return at_operand(p) && (parse_same_line(p) || !parse_at_another_op(p));
	case FMT_RESULT_TYPE:
	case FMT_OPERAND_TYPE:
	case FMT_OPERAND_TYPES:
		return token_begins_type(peek(p));
	case FMT_REGION:
		return at(p, '{');
	case FMT_SUCC:
		return at(p, TOK_BLOCK);
	case FMT_SPACE:
	case FMT_GROUP:
		return begins(p, e + 1);
	default:
		return false;
	}
}

static bool read_element(Parser *p, Frame *f, const FmtElem *e);

/* One option of a set that begins here, or NULL. Options of the set are flags and groups. */
static const FmtElem *option_here(const Parser *p, const FmtElem *set, const FmtElem *first, uint32_t used)
{
	uint32_t bit = 1;
	for (const FmtElem *e = set + 1; e->kind != FMT_SET_END; bit <<= 1) {
		if (!(used & bit) && begins(p, e))
			return e;
		e = e->kind == FMT_GROUP ? first + e->skip : e + 1;
	}
	return NULL;
}

static uint32_t option_bit(const FmtElem *set, const FmtElem *first, const FmtElem *option)
{
	uint32_t bit = 1;
	for (const FmtElem *e = set + 1; e != option; bit <<= 1)
		e = e->kind == FMT_GROUP ? first + e->skip : e + 1;
	return bit;
}

static bool read_set(Parser *p, Frame *f, const FmtElem *set, const FmtElem *first)
{
	uint32_t used = 0;
	for (const FmtElem *o; (o = option_here(p, set, first, used));) {
		used |= option_bit(set, first, o);
		if (o->kind == FMT_GROUP) {
			for (const FmtElem *e = o + 1; e->kind != FMT_GROUP_END; e++)
				if (!read_element(p, f, e))
					return false;
		} else if (!read_element(p, f, o)) {
			return false;
		}
	}
	return true;
}

/* An element that is neither a group, a set, a region nor custom. */
static bool read_element(Parser *p, Frame *f, const FmtElem *e)
{
	switch (e->kind) {
	case FMT_LITERAL:
		return literal(p, e->text);
	case FMT_FLAG:
		if (at_literal(p, e->text)) {
			push_attr(p, e->name, p->unit);
			advance(p);
		}
		return true;
	case FMT_ATTR:
		return read_attr(p, e);
	case FMT_OPERAND:
		return read_operand(p, f, e->index);
	case FMT_OPERANDS:
		return read_operands(p, f, e->index);
	case FMT_OPERAND_TYPE:
		return read_operand_type(p, f, e->index);
	case FMT_OPERAND_TYPES:
		return read_operand_types(p, f, e->index);
	case FMT_RESULT_TYPE:
		return read_result_type(p, f, e->index);
	case FMT_SUCC:
		return parse_successor(p);
	case FMT_DICT:
		return parse_op_dict(p, f);
	default:
		return true;
	}
}

static Parsed region_element(Parser *p, Frame *f, const FmtElem *e)
{
	while (p->regions.len - f->regions < e->index)
		push_empty_region(p);
	f->elem = e + 1;
	return parse_open_region(p, NULL, 0);
}

/* Upstream has the dictionary of some ops in front of the colon. */
static bool read_early_dict(Parser *p, Frame *f, const FmtElem *e)
{
	bool early = e->kind == FMT_LITERAL && at(p, '{') && str_equal(e->text, STR(":")) && !f->dict_read;
	return !early || parse_op_dict(p, f);
}

Parsed parse_format(Parser *p, Frame *f, const FmtElem *first, const FmtElem *e)
{
	Retreat retreats[8];
	uint32_t depth = 0;
	for (;;) {
		bool ok = true;
		const FmtElem *next = e + 1;
		switch (e->kind) {
		case FMT_END:
			return PARSED_ALL;
		case FMT_GROUP:
			if (!begins(p, e + 1)) {
				next = first + e->skip;
			} else {
				CHECK(depth < ARRAY_LEN(retreats));
				retreats[depth++] = parse_retreat_point(p, first + e->skip);
			}
			break;
		case FMT_GROUP_END:
			if (depth)
				depth--;
			break;
		case FMT_SET:
			ok = read_set(p, f, e, first);
			next = first + e->skip;
			break;
		case FMT_REGION:
			return region_element(p, f, e);
		case FMT_CUSTOM:
			f->elem = e;
			return custom_parsers[e->index](p, f);
		default:
			ok = (depth || read_early_dict(p, f, e)) && read_element(p, f, e);
		}
		if (!ok && (!depth || p->failure.silent))
			return PARSED_NO;
		if (!ok) {
			parse_retreat(p, &retreats[--depth]);
			next = retreats[depth].behind;
		}
		e = next;
	}
}
