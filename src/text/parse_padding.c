/* Which members of a struct are padding, where the text says `padded` for all of it (2024 to mid 2026).
 *
 * clang fills a gap with a byte, or an array of them, where the natural offset of the next member, or the natural size of
 * the record, is not the right one. Such gaps come of alignments that are declared, and, rarely, of subobjects without
 * members. So a member of bytes is padding if
 *
 * - without it the next member moves, or the size of the record changes; and
 * - what follows begins at the next multiple of an alignment, which for the end is that of the record; or, where this is
 *   so of no member, if it is the only one of the first kind.
 *
 * Where several members are so, one may be padding and another an array of bytes: the text does not tell. Then what depends
 * on it is an error: registers that the record goes in, and what a copy without the tail leaves out.
 */
#include "text/parser.h"

#include "ir/layout.h"

enum { ALIGN_MAX = 4096 };

typedef enum GapKind {
	GAP_NONE,      /* a member like others */
	GAP_POSSIBLE,  /* without it, what follows moves */
	GAP_ALIGNMENT, /* and an alignment tells why it is there */
} GapKind;

typedef struct Padded {
	IrType *record;
	uint64_t align, size; /* align: as the module says it; 0: it does not */
	bool in_registers;    /* as far as the module says it */
	uint64_t *begins;     /* offsets by member */
	uint8_t *kinds;       /* GapKind by member */
	GapKind untold;       /* the kind of which several are there, or GAP_NONE */
	bool registers;       /* what registers it goes in depends on it */
} Padded;

bool parse_is_filler(const IrType *t)
{
	const IrType *byte = t->kind == TYPE_ARRAY ? t->elem : t;
	return ir_is_int(byte) && byte->width == 8 && !byte->is_signed && !byte->bitint;
}

static uint64_t align_up(uint64_t v, uint64_t align)
{
	return (v + align - 1) & ~(align - 1);
}

static bool is_aligned_by_some(uint64_t from, uint64_t to, uint64_t max)
{
	for (uint64_t align = 1; align <= max; align *= 2)
		if (align_up(from, align) == to)
			return true;
	return false;
}

/* The natural alignment of the record without its last member. */
static uint64_t align_before_last(const IrType *record)
{
	uint64_t align = 1;
	for (uint32_t i = 0; !record->packed && i + 1 < record->nmembers; i++)
		if (ir_type_align(record->members[i]) > align)
			align = ir_type_align(record->members[i]);
	return align;
}

static GapKind gap_kind(const Padded *s, uint32_t i, uint64_t begin)
{
	IrType *record = s->record;
	uint64_t end = begin + ir_type_size(record->members[i]), max = s->align ? s->align : ALIGN_MAX;
	if (!parse_is_filler(record->members[i]) || end == begin)
		return GAP_NONE;
	if (i + 1 == record->nmembers) {
		if (align_up(begin, align_before_last(record)) == s->size)
			return GAP_NONE;
		bool aligned =
		    s->align ? align_up(begin, s->align) == s->size : is_aligned_by_some(begin, s->size, max);
		return aligned ? GAP_ALIGNMENT : GAP_POSSIBLE;
	}
	uint64_t next = ir_record_offset_after(record, i + 1, end);
	if (ir_record_offset_after(record, i + 1, begin) == next)
		return GAP_NONE;
	return is_aligned_by_some(begin, next, max) ? GAP_ALIGNMENT : GAP_POSSIBLE;
}

static uint32_t count_kind(const Padded *s, GapKind kind)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->record->nmembers; i++)
		n += s->kinds[i] == kind;
	return n;
}

/* The gaps of the kind that is there are marked; if they are several, the last only, as if they were told. */
static void mark_gaps(Parser *p, Padded *s)
{
	IrType *record = s->record;
	uint64_t end = 0;
	s->begins = arena_array(p->mem, uint64_t, record->nmembers);
	s->kinds = arena_array(p->mem, uint8_t, record->nmembers);
	for (uint32_t i = 0; i < record->nmembers; i++) {
		uint64_t begin = ir_record_offset_after(record, i, end);
		s->begins[i] = begin;
		s->kinds[i] = (uint8_t)gap_kind(s, i, begin);
		end = begin + ir_type_size(record->members[i]);
	}
	GapKind kind = count_kind(s, GAP_ALIGNMENT) ? GAP_ALIGNMENT : GAP_POSSIBLE;
	if (!count_kind(s, kind)) /* nothing that clang writes: as the reader of the record has it */
		return;
	s->untold = count_kind(s, kind) > 1 ? kind : GAP_NONE;
	record->marks = arena_array(&p->m->arena, uint8_t, record->nmembers);
	memset(record->marks, MARK_DATA, record->nmembers);
	for (uint32_t i = record->nmembers; i-- > 0;) {
		if (s->kinds[i] != kind)
			continue;
		record->marks[i] = MARK_PAD;
		break;
	}
}

/* What the module says of records (cir-reference 3.4) */

static void find_layouts(Parser *p, PtrMap *layouts)
{
	for (uint32_t i = 0; i < p->m->nmodule_attrs; i++) {
		const IrAttr *dict = p->m->module_attrs[i].value;
		if (dict->kind != ATTR_DICT ||
		    !str_equal(name_str(p->m->module_attrs[i].name), STR("cir.record_layouts")))
			continue;
		for (uint32_t k = 0; k < dict->n; k++)
			if (dict->elems[k]->kind == ATTR_PARAMS &&
			    dict->elems[k]->row == ATTR_ROW_RECORD_LAYOUT)
				ptrmap_put(p->mem, layouts, dict->keys[k], (void *)(uintptr_t)dict->elems[k]);
	}
}

static void read_layout(Padded *s, const PtrMap *layouts)
{
	const IrAttr *layout = ptrmap_get(layouts, s->record->name);
	const IrAttr *passing = layout ? layout->elems[RECORD_LAYOUT_ARG_PASSING] : NULL;
	uint64_t align;
	s->in_registers = !passing || passing->kind != ATTR_STRING ||
	                  str_equal(name_str(passing->name), STR("can_pass_in_regs"));
	if (layout && ir_attr_get_u64(layout->elems[RECORD_LAYOUT_ALIGN], &align) && align &&
	    (align & (align - 1)) == 0 && align <= UINT32_MAX)
		s->align = align;
}

/* What depends on it */

/* Is something in bytes [from, to) that goes in an integer register, whatever else is there? */
static bool has_integer(IrType *t, uint64_t begin, uint64_t from, uint64_t to)
{
	if (begin >= to || begin + ir_type_size(t) <= from)
		return false;
	while (t->kind == TYPE_ARRAY)
		t = t->elem;
	return t->kind == TYPE_INT || t->kind == TYPE_BOOL || t->kind == TYPE_PTR || t->kind == TYPE_VPTR;
}

static bool has_told_integer(const Padded *s, uint64_t from, uint64_t to)
{
	IrType *record = s->record;
	for (uint32_t i = 0; i < record->nmembers; i++)
		if (s->kinds[i] != s->untold && has_integer(record->members[i], s->begins[i], from, to))
			return true;
	return false;
}

/* Which registers it goes in: each eight bytes of up to sixteen (System V ABI 3.2.3). */
static bool are_registers_untold(const Padded *s)
{
	enum { EIGHTBYTE = 8, REGISTERS = 2 };
	IrType *record = s->record;
	if (!s->in_registers || s->size > EIGHTBYTE * REGISTERS)
		return false;
	for (uint32_t i = 0; i < record->nmembers; i++) {
		if (s->kinds[i] != s->untold)
			continue;
		uint64_t begin = s->begins[i], end = begin + ir_type_size(record->members[i]);
		for (uint64_t at = begin - begin % EIGHTBYTE; at < end; at += EIGHTBYTE)
			if (!has_told_integer(s, at, at + EIGHTBYTE))
				return true;
	}
	return false;
}

/* In it, or in a record that holds it: there it may begin anywhere. */
static const Padded *untold_in_registers(const PtrMap *untold, IrType *t)
{
	enum { SIZE_MAX_IN_REGISTERS = 16 };
	if (!ir_type_sized(t) || ir_type_size(t) == 0 || ir_type_size(t) > SIZE_MAX_IN_REGISTERS)
		return NULL;
	while (t->kind == TYPE_ARRAY)
		t = t->elem;
	if (t->kind != TYPE_RECORD)
		return NULL;
	const Padded *s = ptrmap_get(untold, t);
	if (s)
		return s->registers ? s : NULL;
	for (uint32_t i = 0; i < t->nmembers && !s; i++)
		s = untold_in_registers(untold, t->members[i]);
	return s;
}

static const Padded *untold_in_types(const PtrMap *untold, IrType *const *types, uint32_t n)
{
	const Padded *s = NULL;
	for (uint32_t i = 0; i < n && !s; i++)
		s = untold_in_registers(untold, types[i]);
	return s;
}

/* What op passes or takes by value, or copies without its tail. */
static const Padded *untold_for(const PtrMap *untold, const IrOp *op)
{
	const Padded *s = NULL;
	if (op->kind == OP_FUNC) {
		const IrType *t = ir_func_type(op);
		s = untold_in_types(untold, t->members, t->nmembers);
		return s ? s : untold_in_registers(untold, t->elem);
	}
	if (op->kind == OP_COPY && ir_op_has(op, NAME_skip_tail_padding))
		return ptrmap_get(untold, ir_operand(op, 0)->type->elem);
	bool calls = op_info[op->kind].flags & OPF_CALLS;
	for (uint32_t i = 0; calls && i < op->noperands && !s; i++)
		s = untold_in_registers(untold, ir_operand(op, i)->type);
	for (uint32_t i = 0; (calls || op->kind == OP_VA_ARG) && i < op->nresults && !s; i++)
		s = untold_in_registers(untold, op->results[i].type);
	return s;
}

static void check_untold(Parser *p, const PtrMap *untold)
{
	const IrRegion *body = &p->m->body;
	for (const IrOp *op = ir_walk_first(body); op && !diag_full(p->d); op = ir_walk_next(op, body)) {
		const Padded *s = untold_for(untold, op);
		if (s)
			diag_error(
			    p->d, op->loc,
			    "which members of the padded record '%s' are padding is not told, and what is "
			    "passed or copied here depends on it; expected 'data' or 'pad' before each",
			    s->record->name->text);
	}
}

void parse_padded(Parser *p)
{
	PtrMap layouts = {0}, untold = {0};
	if (!p->padded_records.len || p->d->errors)
		return;
	find_layouts(p, &layouts);
	for (uint32_t i = 0; i < p->padded_records.len; i++) {
		Padded *s = arena_new(p->mem, Padded);
		s->record = p->padded_records.data[i];
		if (!ir_type_sized(s->record))
			continue;
		s->size = ir_type_size(s->record);
		read_layout(s, &layouts);
		mark_gaps(p, s);
		s->registers = s->untold && are_registers_untold(s);
		if (s->untold)
			ptrmap_put(p->mem, &untold, s->record, s);
	}
	if (untold.len)
		check_untold(p, &untold);
}
