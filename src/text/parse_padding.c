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
 * Where several members are so, one may be padding and another an array of bytes: the text does not tell. Then they are
 * marked so, and what depends on it is an error (abi/untold.h).
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
	uint64_t align, size; /* align: as the module says it, or as it is taken to be; 0: any */
	uint64_t *begins;     /* offsets by member */
	uint8_t *kinds;       /* GapKind by member */
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

/* Of the first n members, as if the record were not packed. */
static uint64_t natural_align(const IrType *record, uint32_t n)
{
	uint64_t align = 1;
	for (uint32_t i = 0; i < n; i++)
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
		if (align_up(begin, record->packed ? 1 : natural_align(record, i)) == s->size)
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

static void find_kinds(Padded *s)
{
	uint64_t end = 0;
	for (uint32_t i = 0; i < s->record->nmembers; i++) {
		s->begins[i] = ir_record_offset_after(s->record, i, end);
		s->kinds[i] = (uint8_t)gap_kind(s, i, s->begins[i]);
		end = s->begins[i] + ir_type_size(s->record->members[i]);
	}
}

/* Where the module does not say the alignment, it is the natural one, unless that explains no gap, or not the end. */
static void find_gaps(Padded *s)
{
	bool declared = s->align;
	if (!declared)
		s->align = natural_align(s->record, s->record->nmembers);
	find_kinds(s);
	if (declared || (count_kind(s, GAP_ALIGNMENT) && s->kinds[s->record->nmembers - 1] != GAP_POSSIBLE))
		return;
	s->align = 0;
	find_kinds(s);
}

/* Where members and size are at natural places, clang packs a record only because its data does not end at one. */
static bool is_tail_told(const Padded *s)
{
	IrType *record = s->record;
	uint32_t last = record->nmembers - 1;
	uint64_t align = natural_align(record, last);
	for (uint32_t i = 0; i < last; i++)
		if (s->begins[i] % ir_type_align(record->members[i]))
			return false;
	return record->packed && s->kinds[last] != GAP_NONE && s->size % align == 0 &&
	       s->begins[last] % align;
}

/* The gaps of the kind that is there. */
static void mark_gaps(Parser *p, Padded *s)
{
	IrType *record = s->record;
	uint32_t last = record->nmembers - 1;
	GapKind kind = count_kind(s, GAP_ALIGNMENT) ? GAP_ALIGNMENT : GAP_POSSIBLE;
	if (!count_kind(s, kind)) /* nothing that clang writes: as the reader of the record has it */
		return;
	bool tail = is_tail_told(s), told = count_kind(s, kind) == 1 && (!tail || s->kinds[last] == kind);
	record->marks = arena_array(&p->m->arena, uint8_t, record->nmembers);
	memset(record->marks, MARK_DATA, record->nmembers);
	for (uint32_t i = 0; i < record->nmembers; i++)
		if (s->kinds[i] == kind)
			record->marks[i] = told ? MARK_PAD : MARK_UNTOLD;
	if (tail)
		record->marks[last] = MARK_PAD;
	p->m->padding_untold = p->m->padding_untold || !told;
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

/* 0: the module does not say it. */
static uint64_t declared_align(const PtrMap *layouts, const IrType *record)
{
	const IrAttr *layout = ptrmap_get(layouts, record->name);
	uint64_t align;
	bool known = layout && ir_attr_get_u64(layout->elems[RECORD_LAYOUT_ALIGN], &align) && align &&
	             (align & (align - 1)) == 0 && align <= UINT32_MAX;
	return known ? align : 0;
}

void parse_padded(Parser *p)
{
	PtrMap layouts = {0};
	if (!p->padded_records.len || p->d->errors)
		return;
	find_layouts(p, &layouts);
	for (uint32_t i = 0; i < p->padded_records.len; i++) {
		Padded s = {.record = p->padded_records.data[i]};
		if (!ir_type_sized(s.record))
			continue;
		s.size = ir_type_size(s.record);
		s.align = declared_align(&layouts, s.record);
		s.begins = arena_array(p->mem, uint64_t, s.record->nmembers);
		s.kinds = arena_array(p->mem, uint8_t, s.record->nmembers);
		find_gaps(&s);
		mark_gaps(p, &s);
	}
}
