#include "explain/cfa.h"

#include "explain/eh_pointer.h"

#include <inttypes.h>

enum {
	CFA_NOP = 0x00,
	CFA_SET_LOC = 0x01,
	CFA_ADVANCE_LOC1 = 0x02,
	CFA_ADVANCE_LOC2 = 0x03,
	CFA_ADVANCE_LOC4 = 0x04,
	CFA_OFFSET_EXTENDED = 0x05,
	CFA_RESTORE_EXTENDED = 0x06,
	CFA_UNDEFINED = 0x07,
	CFA_SAME_VALUE = 0x08,
	CFA_REGISTER = 0x09,
	CFA_REMEMBER_STATE = 0x0a,
	CFA_RESTORE_STATE = 0x0b,
	CFA_DEF_CFA = 0x0c,
	CFA_DEF_CFA_REGISTER = 0x0d,
	CFA_DEF_CFA_OFFSET = 0x0e,
	CFA_DEF_CFA_EXPRESSION = 0x0f,
	CFA_EXPRESSION = 0x10,
	CFA_OFFSET_EXTENDED_SF = 0x11,
	CFA_DEF_CFA_SF = 0x12,
	CFA_DEF_CFA_OFFSET_SF = 0x13,
	CFA_VAL_OFFSET = 0x14,
	CFA_VAL_OFFSET_SF = 0x15,
	CFA_VAL_EXPRESSION = 0x16,
	CFA_MIPS_ADVANCE_LOC8 = 0x1d,
	CFA_NEGATE_RA_STATE_WITH_PC = 0x2c, /* DWARF for the Arm 64-bit Architecture, 4.4 */
	CFA_NEGATE_RA_STATE = 0x2d,
	CFA_GNU_ARGS_SIZE = 0x2e,
	CFA_GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
	/* The high two bits; the low six are the operand. */
	CFA_ADVANCE_LOC = 0x40,
	CFA_OFFSET = 0x80,
	CFA_RESTORE = 0xc0,
};

typedef enum RuleKind {
	RULE_NONE,
	RULE_UNDEFINED,
	RULE_SAME,
	RULE_OFFSET,     /* saved at cfa + offset */
	RULE_VALUE,      /* is cfa + offset */
	RULE_REGISTER,   /* offset: the register */
	RULE_EXPRESSION, /* saved where the expression says */
	RULE_VALUE_EXPRESSION
} RuleKind;

typedef struct Rule {
	RuleKind kind;
	int64_t offset;
	Str expression;
} Rule;

enum { REGISTERS = 128, DEPTH = 64, CIE_MOST = 1000 };

typedef struct State {
	Rule cfa; /* RULE_VALUE: cfa_register + offset */
	uint64_t cfa_register;
	uint64_t args_size;
	bool signed_ra;
	Rule rules[REGISTERS];
} State;

struct CfaReader {
	CircExplanation *e;
	const ObjectFile *o;
	const EhFde *fde;
	Arena *mem;
	State now, initial;
	VEC(State *) remembered; /* as many as there were at once; `depth` of them count */
	uint32_t depth;
	VEC(CircUnwindRow) rows;
	uint64_t offset;
	StrBuf text;
};

static const char *const x86_64_names[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8",
                                           "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "rip"};
static const char *const aarch64_names[] = {"sp"};

/* Registers by the numbers of the ABI: those that have names, and rows of them. */
typedef struct RegisterRow {
	uint16_t first, last;
	const char *prefix;       /* the number in the row follows; NULL: */
	const char *const *names; /* each has its own */
} RegisterRow;

static const RegisterRow x86_64_rows[] = {
    {0, ARRAY_LEN(x86_64_names) - 1, NULL, x86_64_names}, {17, 32, "xmm", NULL}, {0}};
static const RegisterRow aarch64_rows[] = {
    {0, 30, "x", NULL}, {31, 31, NULL, aarch64_names}, {64, 95, "v", NULL}, {0}};
static const RegisterRow *const register_rows[] = {
    [OBJECT_X86_64] = x86_64_rows, [OBJECT_AARCH64] = aarch64_rows};

static void put_register(CfaReader *m, uint64_t number)
{
	const RegisterRow *row = register_rows[m->o->machine];
	while ((row->prefix || row->names) && (number < row->first || number > row->last))
		row++;
	if (row->prefix)
		buf_printf(m->mem, &m->text, "%s%u", row->prefix, (unsigned)number - row->first);
	else if (row->names)
		buf_put(m->mem, &m->text, str_of(row->names[number - row->first]));
	else
		buf_printf(m->mem, &m->text, "r#%" PRIu64, number);
}

static void put_sum(CfaReader *m, int64_t offset)
{
	if (offset)
		buf_printf(m->mem, &m->text, "%+" PRId64, offset);
}

/* As bytes: what they compute is rarely more than an address on the stack. */
static void put_expression(CfaReader *m, Str bytes)
{
	buf_put(m->mem, &m->text, STR("expr("));
	for (size_t i = 0; i < bytes.len; i++)
		buf_printf(m->mem, &m->text, "%s%02x", i ? " " : "", (unsigned char)bytes.data[i]);
	buf_put(m->mem, &m->text, STR(")"));
}

static void put_rule(CfaReader *m, const Rule *r)
{
	bool saved = r->kind == RULE_OFFSET || r->kind == RULE_EXPRESSION;
	if (saved)
		buf_put(m->mem, &m->text, STR("["));
	switch (r->kind) {
	case RULE_NONE:
	case RULE_SAME:
		buf_put(m->mem, &m->text, STR("same"));
		break;
	case RULE_UNDEFINED:
		buf_put(m->mem, &m->text, STR("undefined"));
		break;
	case RULE_OFFSET:
	case RULE_VALUE:
		buf_put(m->mem, &m->text, STR("cfa"));
		put_sum(m, r->offset);
		break;
	case RULE_REGISTER:
		put_register(m, (uint64_t)r->offset);
		break;
	case RULE_EXPRESSION:
	case RULE_VALUE_EXPRESSION:
		put_expression(m, r->expression);
		break;
	}
	if (saved)
		buf_put(m->mem, &m->text, STR("]"));
}

/* "cfa=rsp+16 rbp=[cfa-16] ra=[cfa-8]" */
static const char *row_text(CfaReader *m)
{
	const State *s = &m->now;
	m->text.len = 0;
	buf_put(m->mem, &m->text, STR("cfa="));
	if (s->cfa.kind == RULE_VALUE) {
		put_register(m, s->cfa_register);
		put_sum(m, s->cfa.offset);
	} else {
		put_rule(m, &s->cfa);
	}
	for (uint32_t i = 0; i < REGISTERS; i++) {
		if (s->rules[i].kind == RULE_NONE)
			continue;
		buf_put(m->mem, &m->text, STR(" "));
		if (i == m->fde->cie->return_register)
			buf_put(m->mem, &m->text, STR("ra"));
		else
			put_register(m, i);
		buf_put(m->mem, &m->text, STR("="));
		put_rule(m, &s->rules[i]);
	}
	if (s->signed_ra)
		buf_put(m->mem, &m->text,
		        m->fde->cie->key_b ? STR(" ra-is-signed-with-b") : STR(" ra-is-signed"));
	if (s->args_size)
		buf_printf(m->mem, &m->text, " args=%" PRIu64, s->args_size);
	return explanation_string(m->e, (Str){m->text.data, m->text.len});
}

static void end_row(CfaReader *m)
{
	CircUnwindRow row = {m->offset, row_text(m)};
	if (m->rows.len && m->rows.data[m->rows.len - 1].offset == row.offset)
		m->rows.data[m->rows.len - 1] = row;
	else
		vec_push(m->mem, &m->rows, row);
}

static void advance(CfaReader *m, uint64_t delta)
{
	end_row(m);
	m->offset += delta * m->fde->cie->code_alignment;
}

static void set_rule(CfaReader *m, Bytes *b, uint64_t reg, Rule rule)
{
	if (reg >= REGISTERS)
		bytes_fail(b, "call frame instruction names a register above 127");
	else if (!b->failed)
		m->now.rules[reg] = rule;
}

static Rule offset_rule(const CfaReader *m, RuleKind kind, int64_t factored)
{
	return (Rule){kind, (int64_t)((uint64_t)factored * (uint64_t)m->fde->cie->data_alignment), {0}};
}

static Str block(Bytes *b)
{
	uint64_t size = bytes_uleb(b), at = b->at;
	bytes_skip(b, size);
	if (b->failed)
		size = 0;
	return (Str){b->data + at, (size_t)size};
}

static void remember(CfaReader *m, Bytes *b)
{
	if (m->depth == DEPTH) {
		bytes_fail(b, "call frame instructions remember more than 64 states");
		return;
	}
	if (m->depth == m->remembered.len)
		vec_push(m->mem, &m->remembered, arena_new(m->mem, State));
	*m->remembered.data[m->depth++] = m->now;
}

static void restore_state(CfaReader *m, Bytes *b)
{
	if (!m->depth)
		bytes_fail(b, "call frame instruction restores a state that was never remembered");
	else
		m->now = *m->remembered.data[--m->depth];
}

static void set_loc(CfaReader *m, Bytes *b)
{
	const EhFde *fde = m->fde;
	ObjectTarget t = eh_pointer(m->o, fde->at.section, b, fde->cie->pointer_encoding, fde->begin);
	if (t.place.section != fde->begin.section || t.place.offset < fde->begin.offset) {
		bytes_fail(b, "call frame instruction advances beyond the end of the function");
		return;
	}
	end_row(m);
	m->offset = t.place.offset - fde->begin.offset;
}

static void define_cfa(CfaReader *m, uint64_t reg, int64_t offset)
{
	m->now.cfa_register = reg;
	m->now.cfa = (Rule){RULE_VALUE, offset, {0}};
}

static int64_t factored(const CfaReader *m, int64_t n)
{
	return offset_rule(m, RULE_VALUE, n).offset;
}

static bool run_location(CfaReader *m, Bytes *b, unsigned op)
{
	switch (op) {
	case CFA_SET_LOC:
		set_loc(m, b);
		return true;
	case CFA_ADVANCE_LOC1:
		advance(m, bytes_uint(b, 1));
		return true;
	case CFA_ADVANCE_LOC2:
		advance(m, bytes_uint(b, 2));
		return true;
	case CFA_ADVANCE_LOC4:
		advance(m, bytes_uint(b, 4));
		return true;
	case CFA_MIPS_ADVANCE_LOC8:
		advance(m, bytes_uint(b, 8));
		return true;
	default:
		return false;
	}
}

static bool run_cfa(CfaReader *m, Bytes *b, unsigned op)
{
	uint64_t reg;
	switch (op) {
	case CFA_DEF_CFA:
		reg = bytes_uleb(b);
		define_cfa(m, reg, (int64_t)bytes_uleb(b));
		return true;
	case CFA_DEF_CFA_SF:
		reg = bytes_uleb(b);
		define_cfa(m, reg, factored(m, bytes_sleb(b)));
		return true;
	case CFA_DEF_CFA_REGISTER:
		define_cfa(m, bytes_uleb(b), m->now.cfa.offset);
		return true;
	case CFA_DEF_CFA_OFFSET:
		define_cfa(m, m->now.cfa_register, (int64_t)bytes_uleb(b));
		return true;
	case CFA_DEF_CFA_OFFSET_SF:
		define_cfa(m, m->now.cfa_register, factored(m, bytes_sleb(b)));
		return true;
	case CFA_DEF_CFA_EXPRESSION:
		m->now.cfa = (Rule){RULE_VALUE_EXPRESSION, 0, block(b)};
		return true;
	default:
		return false;
	}
}

static void restore(CfaReader *m, Bytes *b, uint64_t reg)
{
	set_rule(m, b, reg, reg < REGISTERS ? m->initial.rules[reg] : (Rule){0});
}

static bool run_register(CfaReader *m, Bytes *b, unsigned op)
{
	uint64_t reg = bytes_uleb(b);
	switch (op) {
	case CFA_OFFSET_EXTENDED:
		set_rule(m, b, reg, offset_rule(m, RULE_OFFSET, (int64_t)bytes_uleb(b)));
		return true;
	case CFA_OFFSET_EXTENDED_SF:
		set_rule(m, b, reg, offset_rule(m, RULE_OFFSET, bytes_sleb(b)));
		return true;
	case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
		set_rule(m, b, reg, offset_rule(m, RULE_OFFSET, (int64_t)(0 - bytes_uleb(b))));
		return true;
	case CFA_VAL_OFFSET:
		set_rule(m, b, reg, offset_rule(m, RULE_VALUE, (int64_t)bytes_uleb(b)));
		return true;
	case CFA_VAL_OFFSET_SF:
		set_rule(m, b, reg, offset_rule(m, RULE_VALUE, bytes_sleb(b)));
		return true;
	case CFA_RESTORE_EXTENDED:
		restore(m, b, reg);
		return true;
	case CFA_UNDEFINED:
		set_rule(m, b, reg, (Rule){.kind = RULE_UNDEFINED});
		return true;
	case CFA_SAME_VALUE:
		set_rule(m, b, reg, (Rule){.kind = RULE_SAME});
		return true;
	case CFA_REGISTER:
		set_rule(m, b, reg, (Rule){.kind = RULE_REGISTER, .offset = (int64_t)bytes_uleb(b)});
		return true;
	case CFA_EXPRESSION:
		set_rule(m, b, reg, (Rule){.kind = RULE_EXPRESSION, .expression = block(b)});
		return true;
	case CFA_VAL_EXPRESSION:
		set_rule(m, b, reg, (Rule){.kind = RULE_VALUE_EXPRESSION, .expression = block(b)});
		return true;
	default:
		return false;
	}
}

static void run_rest(CfaReader *m, Bytes *b, unsigned op)
{
	switch (op) {
	case CFA_NOP:
		break;
	case CFA_REMEMBER_STATE:
		remember(m, b);
		break;
	case CFA_RESTORE_STATE:
		restore_state(m, b);
		break;
	case CFA_NEGATE_RA_STATE:
	case CFA_NEGATE_RA_STATE_WITH_PC:
		m->now.signed_ra = !m->now.signed_ra;
		break;
	case CFA_GNU_ARGS_SIZE:
		m->now.args_size = bytes_uleb(b);
		break;
	default: {
		Bytes operands = *b;
		if (run_register(m, b, op))
			break;
		*b = operands; /* whether it has any is not known */
		bytes_fail(b, "unknown call frame instruction");
	}
	}
}

static void run_one(CfaReader *m, Bytes *b)
{
	unsigned op = (unsigned)bytes_uint(b, 1), low = op & 0x3f;
	switch (op & 0xc0) {
	case CFA_ADVANCE_LOC:
		advance(m, low);
		break;
	case CFA_OFFSET:
		set_rule(m, b, low, offset_rule(m, RULE_OFFSET, (int64_t)bytes_uleb(b)));
		break;
	case CFA_RESTORE:
		restore(m, b, low);
		break;
	default:
		if (!run_location(m, b, op) && !run_cfa(m, b, op))
			run_rest(m, b, op);
	}
}

static void run(CfaReader *m, Bytes b, uint64_t most)
{
	uint64_t n = 0, at = b.at;
	for (; b.at < b.end && !b.failed && n < most; n++) {
		at = b.at;
		run_one(m, &b);
	}
	if (n == most)
		bytes_fail(&b, "CIE has more than 1000 call frame instructions");
	if (b.failed)
		object_warning(m->o, (ObjectPlace){m->fde->at.section, at}, "%s", b.failed);
}

CfaReader *cfa_open(CircExplanation *e, const ObjectFile *o)
{
	CfaReader *r = arena_new(&e->arena, CfaReader);
	r->e = e;
	r->o = o;
	r->mem = &e->arena;
	return r;
}

void cfa_rows(CfaReader *r, const EhFde *fde, CircExplainedFunction *f)
{
	r->fde = fde;
	r->now = (State){.cfa = {.kind = RULE_VALUE}};
	r->initial = r->now;
	r->depth = 0;
	r->offset = 0;
	run(r, fde->cie->instructions, CIE_MOST);
	r->rows.len = 0;
	r->offset = 0;
	r->initial = r->now;
	run(r, fde->instructions, UINT64_MAX);
	end_row(r);
	f->rows = arena_copy_n(&r->e->arena, r->rows.data, r->rows.len, sizeof *r->rows.data);
	f->nrows = r->rows.len;
}
