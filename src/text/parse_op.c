/* Reading one op: bindings, mnemonic, and its spelling, newest first. The formats of
 * ops.def are interpreted here. */
#include "text/parser.h"

#include "text/scan.h"

CustomParser *const custom_parsers[CUSTOM_COUNT] = {
#define CUSTOM_FORMAT(name) [CUSTOM_##name] = parse_custom_##name,
#include "text/custom.def"
};

/* Spellings */

static void add_spelling(Parser *p, const char *mnemonic, OpKind kind, const char *format,
                         CustomParser *custom)
{
	uint32_t len = (uint32_t)strlen(mnemonic), hash = hash_bytes(&p->m->names.key, mnemonic, len);
	Spelling *s = arena_new(p->mem, Spelling);
	*s = (Spelling){.mnemonic = mnemonic, .kind = kind, .format = format, .custom = custom};
	Slice *slot = slice_find(&p->mnemonics, mnemonic, len, hash);
	if (!slot) {
		slice_add(p->mem, &p->mnemonics, mnemonic, len, hash)->u.ptr = s;
		return;
	}
	Spelling *last = slot->u.ptr;
	while (last->older)
		last = last->older;
	last->older = s;
}

void spellings_init(Parser *p)
{
	enum {
		OLD_SPELLINGS = 0
#define OLD(op, mnemonic, format)          +1
#define OLD_CUSTOM(op, mnemonic, function) +1
#include "text/ops_old.def"
	};
	slice_reserve(p->mem, &p->mnemonics, OP_COUNT + OLD_SPELLINGS);
	for (unsigned k = 0; k < OP_COUNT; k++)
		add_spelling(p, op_info[k].name, (OpKind)k, op_info[k].format, NULL);
#define OLD(op, mnemonic, format)          add_spelling(p, mnemonic, OP_##op, format, NULL);
#define OLD_CUSTOM(op, mnemonic, function) add_spelling(p, mnemonic, OP_##op, NULL, function);
#include "text/ops_old.def"
}

/* What an op pushes */

void push_operand(Parser *p, OperandRef r)
{
	vec_push(p->mem, &p->operands, r);
}

void push_result(Parser *p, IrType *type)
{
	vec_push(p->mem, &p->results, type);
}

void push_attr(Parser *p, Name *name, const IrAttr *value)
{
	vec_push(p->mem, &p->attrs, ((IrNamedAttr){name, value}));
}

void push_flag(Parser *p, NameId name)
{
	push_attr(p, p->known[name], p->unit);
}

void push_enum(Parser *p, NameId name, EnumClass c, unsigned word)
{
	push_attr(p, p->known[name], ir_attr_enum(p->m, c, word));
}

void push_type_use(Parser *p, const char *at, TypePlace place, uint32_t index)
{
	vec_push(p->mem, &p->type_uses, ((TypeUse){at, place, index}));
}

const IrAttr *pushed_attr(const Parser *p, const Frame *f, NameId name)
{
	for (uint32_t i = f->attrs; i < p->attrs.len; i++)
		if (p->attrs.data[i].name == p->known[name])
			return p->attrs.data[i].value;
	return NULL;
}

void push_empty_region(Parser *p)
{
	vec_push(p->mem, &p->regions, arena_new(p->mem, IrRegion));
}

void parse_cut_stacks(Parser *p, const Frame *f)
{
	p->operands.len = f->operands;
	p->succ_args.len = f->succ_args;
	p->succs.len = f->succs;
	p->results.len = f->results;
	p->attrs.len = f->attrs;
	p->regions.len = f->regions;
	p->warnings.len = f->warnings;
	p->type_uses.len = 0;
}

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
	push_type_use(p, peek(p).at, PLACE_OPERAND, index);
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
	push_type_use(p, peek(p).at, PLACE_RESULT, index);
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
			push_type_use(p, peek(p).at, PLACE_SUCC_ARG, i);
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
		return at_operand(p) &&
		       parse_same_line(p); /* the next line begins with the results of an op */
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

/* Where to go back to when an optional group does not match after all. */
typedef struct Retreat {
	const FmtElem *behind;
	Lexer lx;
	uint32_t operands, succ_args, succs, results, attrs, warnings, type_uses;
} Retreat;

static Retreat retreat_point(const Parser *p, const FmtElem *behind)
{
	return (Retreat){behind,         p->lx,        p->operands.len, p->succ_args.len, p->succs.len,
	                 p->results.len, p->attrs.len, p->warnings.len, p->type_uses.len};
}

static void retreat(Parser *p, const Retreat *r)
{
	p->lx = r->lx;
	p->operands.len = r->operands;
	p->succ_args.len = r->succ_args;
	p->succs.len = r->succs;
	p->results.len = r->results;
	p->attrs.len = r->attrs;
	p->warnings.len = r->warnings;
	p->type_uses.len = r->type_uses;
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

/* The format from `e` on; `first` is its first element. */
static Parsed read_format(Parser *p, Frame *f, const FmtElem *first, const FmtElem *e)
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
				retreats[depth++] = retreat_point(p, first + e->skip);
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
			retreat(p, &retreats[--depth]);
			next = retreats[depth].behind;
		}
		e = next;
	}
}

/* A format that is one custom element is that custom parser. */
static Parsed read_spelling(Parser *p, Frame *f, Spelling *s)
{
	f->spelling = s;
	f->kind = s->kind;
	f->phase = 0;
	f->dict_read = false;
	f->initial = (OperandRef){0};
	if (s->custom)
		return s->custom(p, f);
	if (!s->elems)
		s->elems = format_cut(p->m, p->mem, s->format);
	return read_format(p, f, s->elems, s->elems);
}

/* A word behind the type in the newest texts, else in the dictionary. */
static bool at_environment(const Parser *p, const Frame *f)
{
	return (op_info[f->kind].flags & OPF_FENV) && token_is(peek(p), STR("fenv"));
}

/* fenv<…> signaling true */
static bool read_environment(Parser *p)
{
	advance(p);
	const IrAttr *fenv = parse_unprefixed_params(p, ATTR_ROW_FENV);
	if (!fenv)
		return false;
	push_attr(p, p->known[NAME_fenv], fenv);
	if (!accept_word(p, STR("signaling")))
		return true;
	bool quiet = accept_word(p, STR("false"));
	if (!quiet && !accept_word(p, STR("true")))
		return expected(p, "'true' or 'false'");
	push_attr(p, p->known[NAME_signaling], ir_attr_flag(p->m, !quiet));
	return true;
}

/* <fastmath_flags = [reassoc, nnan]>, which is #cir.fastmath<reassoc, nnan>. */
static bool read_fast_math(Parser *p)
{
	StrBuf text = {0};
	if (!expect(p, '<') || !expect_word(p, STR("fastmath_flags")) || !expect(p, '=') || !expect(p, '['))
		return false;
	buf_printf(p->mem, &text, "#cir.fastmath<");
	for (bool more = !at(p, ']'); more; more = accept(p, ',')) {
		Token t = peek(p);
		if (t.kind != TOK_WORD)
			return expected(p, "a flag");
		advance(p);
		buf_put(p->mem, &text, token_str(t));
		if (at(p, ','))
			buf_printf(p->mem, &text, ", ");
	}
	buf_printf(p->mem, &text, ">");
	IrAttr key = {.kind = ATTR_OPAQUE, .name = ir_name(p->m, (Str){text.data, text.len})};
	push_attr(p, p->known[NAME_fastmath_flags], ir_attr_intern(p->m, &key));
	return expect(p, ']') && expect(p, '>');
}

static bool read_tail(Parser *p, Frame *f)
{
	if (at_environment(p, f) && !read_environment(p))
		return false;
	if (at(p, '<') && parse_same_line(p) && !read_fast_math(p))
		return false;
	return f->dict_read || parse_op_dict(p, f);
}

/* `{…} :`: the types of an older spelling follow. */
static bool colon_behind_dict(const Parser *p)
{
	Lexer lx = p->lx;
	uint32_t depth = 0;
	do {
		depth += lx.tok.kind == '{';
		depth -= lx.tok.kind == '}';
		lex_next(&lx);
	} while (depth && lx.tok.kind != TOK_EOF && lx.tok.kind != TOK_ERROR);
	return lx.tok.kind == ':';
}

static Slice *find_mnemonic(const Parser *p, Token name)
{
	return name.kind == TOK_WORD ? slice_find(&p->mnemonics, name.at, name.len,
	                                          hash_bytes(&p->m->names.key, name.at, name.len))
	                             : NULL;
}

/* `cir.store`, `%0 = cir.load`, `%0:2 = `, `%0, %1 = ` */
static bool at_another_op(const Parser *p)
{
	Lexer lx = p->lx;
	if (lx.tok.kind != TOK_VALUE)
		return find_mnemonic(p, lx.tok);
	do {
		lex_next(&lx);
		if (lx.tok.kind == '=')
			return true;
	} while (lx.tok.kind == TOK_VALUE || lx.tok.kind == ',' || lx.tok.kind == ':' ||
	         lx.tok.kind == TOK_INT);
	return false;
}

/* An optional part that did not match may have left something of the op. */
static bool op_ends_here(const Parser *p, const Frame *f)
{
	Token t = peek(p);
	if (t.kind == '{')
		return !colon_behind_dict(p);
	if (t.kind == TOK_EOF || t.kind == '}' || t.kind == TOK_BLOCK || at_loc(p))
		return true;
	return !parse_same_line(p) || at_environment(p, f) || at_another_op(p);
}

static Parsed check_end(Parser *p, const Frame *f, const Spelling *s, Parsed result)
{
	bool sure = !s->older && !p->failure.message;
	if (result != PARSED_ALL || sure || op_ends_here(p, f))
		return result;
	expected(p, "end of operation");
	return PARSED_NO;
}

static Parsed read_newest_first(Parser *p, Frame *f, Spelling *s)
{
	Lexer begin = p->lx;
	for (;; s = s->older) {
		Parsed result = check_end(p, f, s, read_spelling(p, f, s));
		if (result != PARSED_NO || !s->older || p->failure.silent)
			return result;
		p->lx = begin;
		parse_cut_stacks(p, f);
	}
}

/* Behind the region that was just closed, in another spelling; NULL when that has no such region. */
static const FmtElem *behind_region(Parser *p, const Frame *f, Spelling *s)
{
	if (!s->format || s->kind != f->kind)
		return NULL;
	if (!s->elems)
		s->elems = format_cut(p->m, p->mem, s->format);
	uint32_t index = p->regions.len - f->regions - 1;
	for (const FmtElem *e = s->elems; e->kind != FMT_END; e++)
		if (e->kind == FMT_REGION && e->index == index)
			return e + 1;
	return NULL;
}

Parsed parse_op_resume(Parser *p)
{
	Frame *f = top_frame(p);
	Spelling *s = f->spelling;
	if (f->generic)
		return parse_generic(p, f);
	if (s->custom)
		return s->custom(p, f);
	if (f->elem->kind == FMT_CUSTOM)
		return custom_parsers[f->elem->index](p, f);
	/* The eras may differ in what joins the regions. */
	Retreat point = retreat_point(p, NULL);
	Parsed result = check_end(p, f, s, read_format(p, f, s->elems, f->elem));
	while (result == PARSED_NO && !p->failure.silent && (s = s->older)) {
		const FmtElem *e = behind_region(p, f, s);
		if (!e)
			continue;
		retreat(p, &point);
		f->spelling = s;
		f->dict_read = false;
		result = check_end(p, f, s, read_format(p, f, s->elems, e));
	}
	return result;
}

/* The op itself */

static bool read_bindings(Parser *p)
{
	if (!at(p, TOK_VALUE))
		return true;
	do {
		Binding b = {.name = peek(p), .count = 1};
		if (b.name.kind != TOK_VALUE)
			return expected(p, "SSA identifier");
		advance(p);
		if (accept(p, ':')) {
			Token number = peek(p);
			uint64_t n;
			if (!parse_uint(p, &n, "integer number of results"))
				return false;
			if (n == 0 || n >= VALUE_LIMIT)
				return parse_fail(p, number.at,
				                  "expected named operation to have at least 1 result");
			b.count = (uint32_t)n;
		}
		vec_push(p->mem, &p->bindings, b);
	} while (accept(p, ','));
	return expect(p, '=');
}

static Parsed read_op(Parser *p, Frame *f)
{
	if (!read_bindings(p))
		return PARSED_NO;
	Token name = peek(p);
	f->at = name.at;
	if (name.kind == TOK_STRING) {
		f->generic = true;
		return parse_generic(p, f);
	}
	if (name.kind != TOK_WORD) {
		if (p->bindings.len > f->bindings)
			expected(p, "operation name after '='");
		else
			expected_here(p, "operation");
		return PARSED_NO;
	}
	Slice *s = find_mnemonic(p, name);
	if (!s) {
		parse_unknown(p, name.at, token_str(name),
		              arena_printf(p->mem, "custom op '%.*s' is unknown", (int)name.len, name.at));
		return PARSED_NO;
	}
	advance(p);
	return read_newest_first(p, f, s->u.ptr);
}

/* A failed op still gives its names a meaning, so that their uses say nothing more. */
static void give_up(Parser *p, Frame *f)
{
	parse_deliver(p);
	for (uint32_t i = f->bindings; i < p->bindings.len; i++)
		value_define_broken(p, p->bindings.data[i].name);
	parse_recover(p, f->at, p->regions.len > f->regions);
}

static Frame *open_frame(Parser *p, const char *where)
{
	vec_reserve(p->mem, &p->frames, p->frames.len + 1);
	Frame *f = &p->frames.data[p->frames.len++];
	*f = (Frame){.at = where,
	             .bindings = p->bindings.len,
	             .operands = p->operands.len,
	             .succ_args = p->succ_args.len,
	             .succs = p->succs.len,
	             .results = p->results.len,
	             .attrs = p->attrs.len,
	             .regions = p->regions.len,
	             .warnings = p->warnings.len,
	             .errors = p->d->errors};
	return f;
}

/* The last step: what was read becomes an op, or is given up. */
static bool settle(Parser *p, Frame *f, bool ok)
{
	if (ok)
		p->failure = (struct Failure){0};
	else
		give_up(p, f);
	parse_cut_stacks(p, f);
	p->line.seen = NULL;
	p->bindings.len = f->bindings;
	p->frames.len--;
	return ok;
}

void parse_settle(Parser *p, Parsed result)
{
	if (result == PARSED_REGION)
		return;
	Frame *f = top_frame(p);
	bool ok = result == PARSED_ALL && read_tail(p, f);
	if (ok)
		parse_remember_line(p, f);
	settle(p, f, ok && (f->loc_read || parse_trailing_loc(p, &f->loc)) && parse_finish_op(p));
}

const char *parse_op_on_next_line(const Parser *p, const char *q)
{
	const char *end = p->lx.end;
	if (q == end || *q != '\n')
		return NULL;
	q = scan_blanks(q + 1, end);
	return end - q > 4 && (*q == '%' || memcmp(q, "cir.", 4) == 0) ? q : NULL;
}

/* Lines that are alike (parse_seen.c) mostly follow each other. While the next one begins with an op, too, they are
 * taken as they stand, and the lexer is left behind: its token is where it was before the first of them. */
void parse_op(Parser *p)
{
	const char *at = peek(p).at, *behind = NULL;
	do {
		const SeenLine *s = parse_find_line(p, at);
		const char *made = s ? parse_make_seen(p, s) : NULL;
		if (made) {
			behind = made;
			at = parse_op_on_next_line(p, made);
			continue;
		}
		Frame *f = open_frame(p, at);
		const char *seen = parse_seen_line(p, f, s);
		at = seen ? parse_op_on_next_line(p, seen) : NULL;
		if (!at) {
			if (seen || behind)
				lex_seek(&p->lx, seen ? seen : behind);
			parse_settle(p, seen ? PARSED_ALL : read_op(p, f));
			return;
		}
		behind = seen;
		bool ok = parse_finish_op(p);
		if (!ok)
			lex_seek(&p->lx, behind);
		if (!settle(p, top_frame(p), ok))
			return;
	} while (at && !diag_full(p->d));
	lex_seek(&p->lx, behind);
}
