/* explain/unwind_codes_arm64.c: AArch64's unwind codes, in words (Microsoft, "ARM64 exception handling": "Unwind codes").
 *
 * The codes of a prolog undo its instructions, one each, the last first. `end` stands for the return of an epilog. What follows `end_c`
 * are instructions of another part of the function, which ran before: they have the offset 0 here. */
#include "explain/coff_tables.h"

#include <stdio.h>

enum { END = 0xe4, END_C = 0xe5, ANY_REGISTER = 0xe7, ROW_COST = 64 };

typedef enum Allocates {
	NOTHING,
	FROM_ONE,  /* the instruction allocates the operand + 1 units, and stores to their begin */
	FROM_ZERO, /* it allocates the operand's units */
} Allocates;

typedef enum Second { ALONE, NEXT, LR } Second;

/* Codes that save registers. Which one is a field of the code's bytes, read as one big-endian number, and counts from `first` in steps. */
typedef struct Save {
	uint8_t mask, value, size;
	char registers;
	uint8_t first, step, shift, bits; /* of the register: value >> shift & bits */
	uint8_t offset;                   /* the lowest bits: the offset, in units of 8 bytes */
	Second second;
	Allocates allocates;
} Save;

static const Save saves[] = {
    {0xe0, 0x20, 1, 'x', 19, 0, 0, 0, 0x1f, NEXT, FROM_ZERO},  /* save_r19r20_x */
    {0xc0, 0x40, 1, 'x', 29, 0, 0, 0, 0x3f, NEXT, NOTHING},    /* save_fplr */
    {0xc0, 0x80, 1, 'x', 29, 0, 0, 0, 0x3f, NEXT, FROM_ONE},   /* save_fplr_x */
    {0xfc, 0xc8, 2, 'x', 19, 1, 6, 15, 0x3f, NEXT, NOTHING},   /* save_regp */
    {0xfc, 0xcc, 2, 'x', 19, 1, 6, 15, 0x3f, NEXT, FROM_ONE},  /* save_regp_x */
    {0xfc, 0xd0, 2, 'x', 19, 1, 6, 15, 0x3f, ALONE, NOTHING},  /* save_reg */
    {0xfe, 0xd4, 2, 'x', 19, 1, 5, 15, 0x1f, ALONE, FROM_ONE}, /* save_reg_x */
    {0xfe, 0xd6, 2, 'x', 19, 2, 6, 7, 0x3f, LR, NOTHING},      /* save_lrpair */
    {0xfe, 0xd8, 2, 'd', 8, 1, 6, 7, 0x3f, NEXT, NOTHING},     /* save_fregp */
    {0xfe, 0xda, 2, 'd', 8, 1, 6, 7, 0x3f, NEXT, FROM_ONE},    /* save_fregp_x */
    {0xfe, 0xdc, 2, 'd', 8, 1, 6, 7, 0x3f, ALONE, NOTHING},    /* save_freg */
    {0xff, 0xde, 2, 'd', 8, 1, 5, 7, 0x1f, ALONE, FROM_ONE},   /* save_freg_x */
};

/* Codes with one number or none. It is printed after the words. */
typedef struct Plain {
	uint8_t mask, value, size;
	uint32_t bits, scale;
	const char *words, *unit;
} Plain;

static const Plain plains[] = {
    {0xe0, 0x00, 1, 0x1f, 16, "alloc ", ""},       /* alloc_s */
    {0xf8, 0xc0, 2, 0x7ff, 16, "alloc ", ""},      /* alloc_m */
    {0xff, 0xdf, 2, 0xff, 1, "alloc ", "*vl"},     /* alloc_z */
    {0xff, 0xe0, 4, 0xffffff, 16, "alloc ", ""},   /* alloc_l */
    {0xff, 0xe1, 1, 0, 0, "frame x29=sp", ""},     /* set_fp */
    {0xff, 0xe2, 2, 0xff, 8, "frame x29=sp+", ""}, /* add_fp */
    {0xff, 0xe3, 1, 0, 0, "nop", ""},
    {0xff, 0xe6, 1, 0, 0, "save next pair", ""}, /* save_next */
    {0xff, 0xe8, 1, 0, 0, "trap frame", ""},
    {0xff, 0xe9, 1, 0, 0, "machine frame", ""},
    {0xff, 0xea, 1, 0, 0, "context", ""},
    {0xff, 0xeb, 1, 0, 0, "context of ARM64EC", ""},
    {0xff, 0xec, 1, 0, 0, "clear unwound to call", ""},
    {0xff, 0xfc, 1, 0, 0, "sign x30", ""}, /* pac_sign_lr */
};

/* One instruction of a prolog. */
typedef struct Code {
	const char *words;
	bool end, end_c;
} Code;

typedef VEC(const char *) WordsVec;

typedef struct Rows {
	CoffTables *t;
	const PdataEntry *entry;
	const UnwindInfo *info;
	UnwindRowVec *rows;
	Arena *mem;
} Rows;

static void add_row(const Rows *r, uint64_t offset, const char *words)
{
	CircUnwindRow row = {offset, words};
	vec_push(r->mem, r->rows, row);
}

/* "save x19 x20 at 16", "alloc 32, save x29 x30 at 0" */
static const char *save_words(Arena *mem, char kind, unsigned reg, Second second, Allocates allocates,
                              uint64_t bytes)
{
	char other[8] = "";
	if (second != ALONE)
		snprintf(other, sizeof other, " %c%u", kind, second == LR ? 30 : reg + 1);
	if (allocates != NOTHING)
		return arena_printf(mem, "alloc %u, save %c%u%s at 0", (unsigned)bytes, kind, reg, other);
	return arena_printf(mem, "save %c%u%s at %u", kind, reg, other, (unsigned)bytes);
}

static const char *save_code(Arena *mem, const Save *s, unsigned value)
{
	unsigned reg = s->first + s->step * (value >> s->shift & s->bits);
	unsigned bytes = 8 * ((value & s->offset) + (s->allocates == FROM_ONE));
	return save_words(mem, s->registers, reg, s->second, s->allocates, bytes);
}

/* save_any_reg. Its two bytes from the highest bit on: 0; is it a pair; does it allocate; the register (5 bits); its kind (2); the offset (6).
 * Kind 3 is SVE's save_zreg and save_preg. NULL: reserved. */
static const char *any_register(Arena *mem, unsigned value)
{
	static const char kinds[] = "xdq";
	unsigned kind = value >> 6 & 3, reg = value >> 8 & 31, offset = value & 63;
	bool pair = value >> 14 & 1, allocates = value >> 13 & 1;
	if (value >> 15 & 1)
		return NULL;
	if (kind == 3) {
		bool predicate = reg & 16;
		return arena_printf(mem, "save %c%u at %u*vl", predicate ? 'p' : 'z',
		                    (reg & 15) + (predicate ? 0 : 8), (value >> 13 & 3) << 6 | offset);
	}
	if (reg + pair + (kind == 0) > 31)
		return NULL;
	unsigned scale = allocates || pair || kind == 2 ? 16 : 8;
	return save_words(mem, kinds[kind], reg, pair ? NEXT : ALONE, allocates ? FROM_ONE : NOTHING,
	                  scale * (offset + allocates));
}

static const Save *find_save(unsigned first)
{
	for (size_t i = 0; i < ARRAY_LEN(saves); i++)
		if ((first & saves[i].mask) == saves[i].value)
			return &saves[i];
	return NULL;
}

static const Plain *find_plain(unsigned first)
{
	for (size_t i = 0; i < ARRAY_LEN(plains); i++)
		if ((first & plains[i].mask) == plains[i].value)
			return &plains[i];
	return NULL;
}

static unsigned size_of(unsigned first)
{
	const Save *save = find_save(first);
	const Plain *plain = find_plain(first);
	return save ? save->size : plain ? plain->size : first == ANY_REGISTER ? 3 : 1;
}

/* NULL: there is no such code. value: its bytes as one big-endian number. */
static const char *words_of(Arena *mem, unsigned first, uint32_t value)
{
	const Save *save = find_save(first);
	const Plain *plain = find_plain(first);
	if (save)
		return save_code(mem, save, value);
	if (!plain)
		return first == ANY_REGISTER ? any_register(mem, value & 0xffff) : NULL;
	if (!plain->bits)
		return plain->words;
	return arena_printf(mem, "%s%u%s", plain->words, (value & plain->bits) * plain->scale, plain->unit);
}

/* Reads the code at *index, and adds its size to *index. False: reported. */
static bool read_code(const Rows *r, unsigned *index, Code *code)
{
	const ObjectFile *o = r->t->o;
	ObjectPlace at = {r->info->codes.section, r->info->codes.offset + *index};
	uint64_t byte, value = 0;
	if (*index >= r->info->ncodes || !object_read(o, at, 1, &byte)) {
		object_warning(o, at,
		               "expected unwind codes to end with 0xe4, found the end of their %u bytes",
		               r->info->ncodes);
		return false;
	}
	unsigned first = (unsigned)byte, size = size_of(first);
	if (!coff_tables_spend(r->t, at, ROW_COST))
		return false;
	*code = (Code){.end = first == END, .end_c = first == END_C};
	for (unsigned i = 0; i < size && i < r->info->ncodes - *index; i++) {
		object_read(o, (ObjectPlace){at.section, at.offset + i}, 1, &byte);
		value = value << 8 | byte;
	}
	bool complete = size <= r->info->ncodes - *index;
	*index += size;
	if (code->end || code->end_c)
		return true;
	code->words = complete ? words_of(r->mem, first, (uint32_t)value) : NULL;
	if (!code->words)
		object_warning(o, at, "expected an unwind code, found 0x%llx", (unsigned long long)value);
	return code->words != NULL;
}

static void prolog_rows(const Rows *r)
{
	WordsVec codes = {0};
	Code code;
	unsigned index = 0;
	uint32_t own = UINT32_MAX; /* how many of the codes are instructions here */
	while (read_code(r, &index, &code) && !code.end) {
		if (code.end_c)
			own = codes.len < own ? codes.len : own;
		else
			vec_push(r->mem, &codes, code.words);
	}
	own = codes.len < own ? codes.len : own;
	for (uint32_t i = codes.len; i-- > 0;)
		add_row(r, i < own ? 4 * (uint64_t)(own - i) : 0, codes.data[i]);
}

/* codes: what the epilog undoes */
static void add_epilog(const Rows *r, uint64_t begin, uint32_t instructions, const WordsVec *codes)
{
	StrBuf text = {0};
	buf_printf(r->mem, &text, "epilog of %u bytes", 4 * instructions);
	for (uint32_t i = 0; i < codes->len; i++)
		buf_printf(r->mem, &text, "%s%s", i ? "; " : " undoes ", codes->data[i]);
	add_row(r, begin, arena_printf(r->mem, "%.*s", (int)text.len, text.data));
}

/* index: of its first code. at_end: the epilog ends the function; else it begins at `begin`. at: the record or word that describes it. */
static void epilog_row(const Rows *r, ObjectPlace at, unsigned index, bool at_end, uint64_t begin)
{
	WordsVec codes = {0};
	Code code;
	for (;;) {
		if (!read_code(r, &index, &code))
			return;
		if (code.end || code.end_c)
			break;
		vec_push(r->mem, &codes, code.words);
	}
	uint32_t instructions = codes.len + code.end;
	uint64_t size = 4 * (uint64_t)instructions;
	if (!instructions) /* a part of a function that has no epilog */
		return;
	if (size > r->entry->size || (!at_end && begin > r->entry->size - size)) {
		object_warning(r->t->o, at,
		               "expected an epilog of %u bytes in its function, found another place",
		               (unsigned)size);
		return;
	}
	add_epilog(r, at_end ? r->entry->size - size : begin, instructions, &codes);
}

static void record_rows(const Rows *r)
{
	const UnwindInfo *info = r->info;
	prolog_rows(r);
	if (info->has_last_epilog)
		epilog_row(r, r->entry->info, info->epilog_index, true, 0);
	for (unsigned i = 0; i < info->nepilogs; i++) {
		ObjectPlace at = {info->epilogs.section, info->epilogs.offset + 4 * (uint64_t)i};
		uint64_t word;
		if (!object_read(r->t->o, at, 4, &word) || !coff_tables_spend(r->t, at, ROW_COST))
			return;
		epilog_row(r, at, (unsigned)(word >> 22), false, 4 * (word & 0x3ffff));
	}
}

/* Packed unwind data */

typedef struct Packed {
	Arena *mem;
	WordsVec prolog, undone; /* undone: what the epilog has, in the order of the prolog */
	unsigned saved;          /* bytes, of registers and parameters */
	bool allocated;          /* these bytes */
} Packed;

static void add_both(Packed *p, const char *words)
{
	vec_push(p->mem, &p->prolog, words);
	vec_push(p->mem, &p->undone, words);
}

/* The first of all allocates. */
static void add_save(Packed *p, char kind, unsigned reg, Second second, unsigned at)
{
	bool first = !p->allocated;
	p->allocated = true;
	add_both(p, save_words(p->mem, kind, reg, second, first ? FROM_ONE : NOTHING, first ? p->saved : at));
}

static void add_alloc(Packed *p, unsigned bytes)
{
	add_both(p, arena_printf(p->mem, "alloc %u", bytes));
}

/* "If CR == 01 and RegI is an odd number, Step 2 and the last save_reg in step 1 are merged." No instruction stores x19 and lr and
 * allocates: with these alone another allocates before. */
static void add_integers(Packed *p, unsigned n, bool with_lr)
{
	if (n == 1 && with_lr) {
		add_alloc(p, p->saved);
		p->allocated = true;
	}
	for (unsigned i = 0; i < n; i += 2)
		add_save(p, 'x', 19 + i, i + 1 < n ? NEXT : with_lr ? LR : ALONE, 8 * i);
	if (with_lr && n % 2 == 0)
		add_save(p, 'x', 30, ALONE, 8 * n);
}

/* Parameters are stored to their home area; no epilog undoes that. */
static void add_parameters(Packed *p)
{
	for (unsigned i = 0; i < 8; i += 2) {
		const char *words = save_words(p->mem, 'x', i, NEXT, NOTHING, p->saved - 64 + 8 * i);
		vec_push(p->mem, &p->prolog, words);
	}
}

static void add_locals(Packed *p, unsigned bytes, bool chained)
{
	enum { ONE_ADD = 4080, ONE_STORE = 512 };
	if (bytes > ONE_ADD)
		add_alloc(p, ONE_ADD);
	if (bytes > ONE_ADD || bytes > ONE_STORE || (!chained && bytes))
		add_alloc(p, bytes > ONE_ADD ? bytes - ONE_ADD : bytes);
	if (!chained)
		return;
	add_both(p, save_words(p->mem, 'x', 29, NEXT, bytes > ONE_STORE ? NOTHING : FROM_ONE,
	                       bytes > ONE_STORE ? 0 : bytes));
	vec_push(p->mem, &p->prolog, "frame x29=sp"); /* no epilog undoes it */
}

static void packed_rows(const Rows *r)
{
	enum { LR_SAVED = 1, SIGNED = 2, CHAINED = 3, FRAGMENT = 2, MOST_INTEGERS = 10 };
	uint32_t word = r->entry->packed;
	unsigned floats = word >> 13 & 7, integers = word >> 16 & 15, homes = word >> 20 & 1,
	         cr = word >> 21 & 3, frame = (word >> 23) * 16;
	unsigned registers = integers + (cr == LR_SAVED) + floats + (floats > 0);
	/* Where no register is saved, parameters are stored after the prolog. */
	homes = registers ? homes : 0;
	Packed p = {.mem = r->mem, .saved = (8 * registers + 64 * homes + 15) & ~15U};
	if (integers > MOST_INTEGERS || p.saved > frame) {
		object_warning(r->t->o, r->entry->at,
		               "expected a frame of %u bytes or more for %u registers, found %u bytes",
		               p.saved, registers, frame);
		return;
	}
	if (!coff_tables_spend(r->t, r->entry->at, 16 * ROW_COST))
		return;
	if (cr == SIGNED)
		add_both(&p, "sign x30");
	add_integers(&p, integers, cr == LR_SAVED);
	for (unsigned i = 0; floats && i <= floats; i += 2)
		add_save(&p, 'd', 8 + i, i < floats ? NEXT : ALONE, 8 * (integers + (cr == LR_SAVED) + i));
	if (homes)
		add_parameters(&p);
	add_locals(&p, frame - p.saved, cr == SIGNED || cr == CHAINED);
	bool is_fragment = (word & 3) == FRAGMENT;
	for (uint32_t i = 0; i < p.prolog.len; i++)
		add_row(r, is_fragment ? 0 : 4 * (i + 1), p.prolog.data[i]);
	uint32_t instructions = p.undone.len + 1;
	if (is_fragment || 4 * (uint64_t)instructions > r->entry->size)
		return;
	for (uint32_t i = 0; i < p.undone.len / 2; i++) {
		const char *words = p.undone.data[i];
		p.undone.data[i] = p.undone.data[p.undone.len - 1 - i];
		p.undone.data[p.undone.len - 1 - i] = words;
	}
	add_epilog(r, r->entry->size - 4 * (uint64_t)instructions, instructions, &p.undone);
}

void unwind_rows_arm64(CoffTables *t, const PdataEntry *entry, const UnwindInfo *info, UnwindRowVec *rows)
{
	Rows r = {t, entry, info, rows, t->o->mem};
	(entry->packed ? packed_rows : record_rows)(&r);
}
