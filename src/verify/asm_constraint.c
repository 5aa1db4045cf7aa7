/* The constraints of inline assembly: what the registers that they name can hold, by a row for each processor. LLVM looks only when it makes
 * code, and ends the process over what does not fit (SelectionDAGBuilder::visitInlineAsm).
 *
 *   =r  =&{ax}  =@3ccz     a result: as many as the op has, or as its record has members
 *   r  {xmm0}  i  0        an operand; a digit: in the register of the result that this constraint is for
 *   =*m  *m                an operand that is the address of the value
 *   ~{memory}  !i          neither
 *
 * What the list has too many or too few of is left to LLVM, which says so (lower/op_asm.c).
 */
#include "verify/verifier.h"

#include "ir/layout.h"
#include "target/target.h"

/* Where a constraint allows the value to be. */
typedef enum Place {
	IN_GENERAL = 1,
	IN_VECTOR = 2, /* xmm, ymm, zmm */
	IN_X87 = 4,
	IN_MASK = 8,
	IN_FLAG = 16, /* one of the flags, as 0 or 1 */
	IN_MEMORY = 32,
	ELSEWHERE = 64, /* constants and what LLVM knows better, or does not know */
	IN_NAMED = 128, /* a general register by its name */
	NOWHERE = 256,  /* in a register that is for something else */
	/* AArch64's names of vector registers, by their size */
	IN_QUAD = 512, /* v, q */
	IN_DOUBLE = 1024,
	IN_SINGLE = 2048,
	IN_HALF = 4096,
	IN_CONDITION = 8192, /* a condition, as 0 or 1 */
	IN_WORDS = 16384,    /* a general register, or what LLVM knows better */
	PLACES_END = 32768,
} Place;

typedef struct Constraint {
	Str text, codes; /* all of it; without what says how it is used */
	const IrType *type;
	bool output, indirect, tied;
	unsigned places; /* sum of Place */
	uint64_t with;   /* tied: number of the other constraint */
} Constraint;

typedef struct AsmMachine AsmMachine;

typedef struct List {
	Verifier *v;
	const AsmMachine *machine;
	const IrOp *op;
	const char *at;
	uint32_t n, nresults, noperands; /* so far */
	const IrType **types;            /* of each constraint */
} List;

/* Codes */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_general_of_x86(Str name)
{
	static const char *const words[] = {"ax", "bx", "cx", "dx", "si", "di", "sp",  "bp",  "al",  "ah",
	                                    "bl", "bh", "cl", "ch", "dl", "dh", "sil", "dil", "spl", "bpl"};
	bool wide = name.len == 3 && (name.data[0] == 'e' || name.data[0] == 'r');
	Str word = wide ? (Str){name.data + 1, 2} : name;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (str_is(word, words[i]))
			return true;
	return name.len >= 2 && name.data[0] == 'r' && is_digit(name.data[1]);
}

static bool is_general_of_aarch64(Str name)
{
	bool numbered =
	    name.len >= 2 && (name.data[0] == 'x' || name.data[0] == 'w') && is_digit(name.data[1]);
	return numbered || str_is(name, "lr") || str_is(name, "fp");
}

typedef struct PlaceRow {
	const char *begin; /* "": any; NULL: the end */
	Place place;
} PlaceRow;

/* The registers of a processor. */
struct AsmMachine {
	bool (*is_general)(Str name);
	const PlaceRow *registers; /* by how names begin */
	const PlaceRow *letters;   /* each of `begin` */
	const PlaceRow *codes;     /* of several letters, by how they begin behind the first */
	char long_letter;          /* with which codes of three letters begin; 0: none */
};

static const PlaceRow x86_registers[] = {{"xmm", IN_VECTOR}, {"ymm", IN_VECTOR}, {"zmm", IN_VECTOR},
                                         {"st", IN_X87},     {"mm", ELSEWHERE},  {"k", IN_MASK},
                                         {"@cc", IN_FLAG},   {NULL, NOWHERE}};
static const PlaceRow x86_letters[] = {
    {"rqQRlabcdSDA", IN_GENERAL}, {"xv", IN_VECTOR}, {"tuf", IN_X87}, {"k", IN_MASK},
    {"moV", IN_MEMORY},           {NULL, ELSEWHERE}};
static const PlaceRow x86_codes[] = {{"cc", IN_FLAG},  {"Yk", IN_MASK}, {"Ym", ELSEWHERE},
                                     {"Y", IN_VECTOR}, {"", ELSEWHERE}, {NULL, NOWHERE}};

/* No value of CIR is of a type that predicates hold, or as long as the processor's vectors are. */
static const PlaceRow aarch64_registers[] = {{"v", IN_QUAD},   {"q", IN_QUAD}, {"d", IN_DOUBLE},
                                             {"s", IN_SINGLE}, {"h", IN_HALF}, {"@cc", IN_CONDITION},
                                             {NULL, NOWHERE}};
static const PlaceRow aarch64_letters[] = {{"mQoV", IN_MEMORY}, {"r", IN_WORDS}, {NULL, ELSEWHERE}};
static const PlaceRow aarch64_codes[] = {
    {"cc", IN_CONDITION}, {"sh", ELSEWHERE}, {"mp", IN_MEMORY}, {NULL, NOWHERE}};

static const AsmMachine machines[PROCESSOR_COUNT] = {
    [PROCESSOR_X86_64] = {is_general_of_x86, x86_registers, x86_letters, x86_codes, 0},
    [PROCESSOR_AARCH64] = {is_general_of_aarch64, aarch64_registers, aarch64_letters, aarch64_codes, 'U'},
};

static unsigned find_place(Str code, const PlaceRow *row)
{
	while (row->begin && !str_begins_with(code, str_of(row->begin)))
		row++;
	return row->place;
}

static unsigned register_place(const AsmMachine *m, Str name)
{
	char lower[8];
	if (name.len > sizeof lower)
		return NOWHERE;
	for (size_t i = 0; i < name.len; i++)
		lower[i] = (char)(name.data[i] | (name.data[i] >= 'A' && name.data[i] <= 'Z' ? 0x20 : 0));
	name.data = lower;
	return m->is_general(name) ? IN_NAMED : find_place(name, m->registers);
}

static unsigned letter_place(const AsmMachine *m, char c)
{
	const PlaceRow *row = m->letters;
	while (row->begin && !strchr(row->begin, c))
		row++;
	return row->place;
}

/* ^Yk: two letters, Upa: three; @3ccz: as many as the digit says. LLVM reads behind the end of a shorter text. */
static size_t long_code(const AsmMachine *m, Str codes, unsigned *places)
{
	bool counted = codes.data[0] == '@';
	size_t start = counted ? 2 : 1, len = 2;
	if (counted)
		len = codes.len > 1 && is_digit(codes.data[1]) ? (size_t)(codes.data[1] - '0') : 0;
	if (!len || codes.len < start + len)
		return 0;
	*places |= find_place((Str){codes.data + start, len}, m->codes);
	return start + len;
}

/* The length of the first code; 0: it has no end. */
static size_t read_code(const AsmMachine *m, Constraint *c, Str codes)
{
	char first = codes.data[0];
	if (first == '^' || first == '@' || (m->long_letter && first == m->long_letter))
		return long_code(m, codes, &c->places);
	if (first == '{') {
		const char *end = memchr(codes.data, '}', codes.len);
		if (!end)
			return 0;
		size_t len = (size_t)(end - codes.data);
		c->places |= register_place(m, (Str){codes.data + 1, len - 1});
		return len + 1;
	}
	if (!is_digit(first)) {
		c->places |= first == '|' ? 0 : letter_place(m, first);
		return 1;
	}
	size_t len = 0;
	for (c->tied = true, c->with = 0; len < codes.len && is_digit(codes.data[len]); len++)
		c->with = c->with > UINT32_MAX ? c->with : c->with * 10 + (uint64_t)(codes.data[len] - '0');
	return len;
}

/* What fits */

static const IrType *plain(const IrType *t)
{
	return t->kind == TYPE_LONG_DOUBLE ? t->elem : t;
}

/* An integer or address that LLVM has a register, or two, for. */
static bool is_word(const IrType *t)
{
	uint32_t width = t->width;
	if (t->kind != TYPE_INT && t->kind != TYPE_BUILTIN_INT)
		return ir_is_ptr(t) || t->kind == TYPE_BOOL || t->kind == TYPE_VPTR ||
		       t->kind == TYPE_DATA_MEMBER || t->kind == TYPE_INDEX;
	return width >= 8 && width <= 128 && !(width & (width - 1));
}

/* No bits of it are padding. */
static bool is_whole(const IrType *vector)
{
	const IrType *e = vector->elem;
	uint64_t part = ir_type_size((IrType *)e);
	return ir_type_size((IrType *)vector) == part * vector->count && part <= 8 && e->kind != TYPE_BOOL &&
	       e->kind != TYPE_BF16 && (!ir_is_int(e) || e->width == part * 8);
}

static bool is_whole_vector(const IrType *t)
{
	uint64_t size = ir_type_size((IrType *)t);
	return (size == 16 || size == 32 || size == 64) && is_whole(t);
}

static bool is_vector_of_8(const IrType *t)
{
	return t->kind == TYPE_VECTOR && ir_type_size((IrType *)t) == 8 && is_whole(t);
}

/* By the size of the name; LLVM widens numbers with a point alone. */
static bool fits_vector_register(const IrType *t, Place place)
{
	bool number = ir_is_float(t) && t->kind != TYPE_F80;
	bool vector = t->kind == TYPE_VECTOR && is_whole(t);
	uint64_t size = number || vector || is_word(t) ? ir_type_size((IrType *)t) : 0;
	switch (place) {
	case IN_QUAD:
		return size == 8 || size == 16;
	case IN_DOUBLE:
		return size == 8 || (number && size < 8);
	case IN_SINGLE:
		return number && size == 4;
	case IN_HALF:
		return number && size == 2;
	default: /* IN_CONDITION */
		return is_word(t) && size <= 8 && t->kind != TYPE_BOOL;
	}
}

/* member: one of several results, where a boolean is one bit. */
static bool fits(const IrType *t, Place place, bool member)
{
	bool word = is_word(t), number = ir_is_float(t) && t->kind != TYPE_F80;
	uint64_t size = word || number ? ir_type_size((IrType *)t) : 0;
	switch (place) {
	case IN_GENERAL:
		return word || number;
	case IN_NAMED:
		return word || number || is_vector_of_8(t);
	case IN_VECTOR:
		return t->kind == TYPE_VECTOR ? is_whole_vector(t) : number || (word && size >= 4);
	case IN_X87:
		return t->kind == TYPE_FLOAT || t->kind == TYPE_DOUBLE || t->kind == TYPE_F80;
	case IN_WORDS:
		return word || !ir_is_int(t);
	case IN_MASK:
		return t->kind == TYPE_VECTOR ? t->elem->kind == TYPE_BOOL : word && size <= 8;
	case IN_FLAG:
		return word && size <= 8 && !(member && t->kind == TYPE_BOOL);
	default:
		return place == NOWHERE ? false : place < IN_QUAD || fits_vector_register(t, place);
	}
}

/* The list */

static bool refuse(const List *l, const Constraint *c, const char *why)
{
	verifier_error(l->v, l->op, ": constraint '%.*s' %s", (int)c->text.len, c->text.data, why);
	return false;
}

static bool check_fits(const List *l, const Constraint *c)
{
	bool member = c->output && l->op->nresults && l->op->results[0].type->kind == TYPE_RECORD;
	if (c->output && !c->indirect && (c->places & IN_MEMORY))
		return refuse(l, c, "allows a result in memory; pass its address as an operand with '=*'");
	if (c->places & IN_MEMORY)
		return true;
	for (unsigned place = IN_GENERAL; place < PLACES_END; place *= 2) {
		if (!(c->places & place) || fits(plain(c->type), (Place)place, member))
			continue;
		verifier_error(l->v, l->op,
		               ": constraint '%.*s' names no register that can hold a value of type '%s'",
		               (int)c->text.len, c->text.data, verifier_type(l->v, c->type));
		return false;
	}
	return true;
}

static bool is_number(const IrType *t)
{
	return t->kind == TYPE_VECTOR ? ir_is_float(t->elem) : ir_is_float(t);
}

/* LLVM ties what has one size, and is a number with a point or not. */
static bool is_alike(const IrType *a, const IrType *b)
{
	bool vectors = a->kind == TYPE_VECTOR && b->kind == TYPE_VECTOR && is_whole(a) && is_whole(b);
	return a == b || ((vectors || (is_word(a) && is_word(b))) && is_number(a) == is_number(b) &&
	                  ir_type_size((IrType *)a) == ir_type_size((IrType *)b));
}

/* In the same register goes what is alike to it. */
static bool check_tied(const List *l, const Constraint *c)
{
	if (c->with >= l->n || c->output)
		return true; /* which LLVM refuses */
	const IrType *other = plain(l->types[c->with]), *t = plain(c->type);
	if (c->indirect)
		return refuse(l, c, "ties an operand to the register of a result, which is an address");
	if (is_alike(t, other))
		return true;
	verifier_error(l->v, l->op, ": constraint '%.*s' ties values of types '%s' and '%s' to one register",
	               (int)c->text.len, c->text.data, verifier_type(l->v, l->types[c->with]),
	               verifier_type(l->v, c->type));
	return false;
}

/* The type of what the constraint is for; NULL: nothing is left. */
static const IrType *next_type(List *l, const Constraint *c)
{
	const IrType *result = l->op->nresults ? l->op->results[0].type : NULL;
	if (!c->output || c->indirect) {
		const IrType *t =
		    l->noperands < l->op->noperands ? ir_operand(l->op, l->noperands)->type : NULL;
		l->noperands++;
		return t && c->indirect && ir_is_ptr(t) ? t->elem : t;
	}
	bool several = result && result->kind == TYPE_RECORD;
	uint32_t n = several ? result->nmembers : result != NULL, i = l->nresults++;
	return i >= n ? NULL : several ? result->members[i] : result;
}

static bool read_constraint(const List *l, Constraint *c)
{
	Str s = c->text;
	c->output = *s.data == '=';
	size_t i = c->output;
	c->indirect = i < s.len && s.data[i] == '*';
	i += c->indirect;
	while (i < s.len && (s.data[i] == '&' || s.data[i] == '%'))
		i++;
	c->codes = (Str){s.data + i, s.len - i};
	for (size_t len; i < s.len; i += len)
		if (!(len = read_code(l->machine, c, (Str){s.data + i, s.len - i})))
			return refuse(l, c, "is not closed");
	return true;
}

static bool check_constraint(List *l, Str text)
{
	Constraint c = {.text = text};
	if (!text.len || *text.data == '~' || *text.data == '!')
		return true;
	if (!read_constraint(l, &c))
		return false;
	c.type = next_type(l, &c);
	if (!c.type && c.output && !c.indirect && !l->op->nresults)
		return refuse(l, &c, "describes a result, but the op has none");
	if (!c.type)
		return true;
	if (c.output && !c.indirect && str_is(c.codes, "f"))
		return refuse(l, &c, "does not specify which register holds the result; write 't' or 'u'");
	bool ok = c.tied ? check_tied(l, &c) : check_fits(l, &c);
	l->types[l->n++] = c.type;
	return ok;
}

bool verifier_check_constraints(Verifier *v, const IrOp *op)
{
	const Name *text = ir_op_attr(op, NAME_constraints)->name;
	const AbiTarget *target = abi_target(ir_module_triple(v->m));
	const AbiMachine *machine = (target ? target : abi_target(STR("")))->machine;
	if (!machines[machine->processor].is_general) {
		if (text->len)
			verifier_error(v, op,
			               ": inline assembly with constraints is not supported on target '%s'",
			               machine->name);
		return !text->len;
	}
	List l = {.v = v,
	          .machine = &machines[machine->processor],
	          .op = op,
	          .at = text->text,
	          .types = arena_array(v->arena, const IrType *, text->len + 1)};
	for (const char *end = l.at + text->len; l.at < end;) {
		size_t len = strcspn(l.at, ",");
		if (!check_constraint(&l, (Str){l.at, len}))
			return false;
		l.at += len + 1;
	}
	return true;
}
