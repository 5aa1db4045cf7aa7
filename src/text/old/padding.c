/* Which members of a struct are padding, where the text says `padded` for all of it (2024 to mid 2026).
 *
 * clang fills a gap with a byte, or an array of them, where the natural offset of the next member, or the natural size of
 * the record, is not the right one: for alignments that are declared, and for subobjects without members, which the text
 * does not show. So a member of bytes may be padding if it ends where the next member begins, or the record ends, and that
 * would move without it. What the module accesses is data.
 *
 * Where several members may be padding, others of them may be arrays of bytes: the text does not tell. Then they are marked
 * so, and what depends on it is an error (call/unspecified.h). As text it is
 *
 * 	module attributes {cir.record_traits = {S = {padding_known = false}}}
 * 	!cir.struct<"S" {data !cir.float, pad !cir.array<!u8i x 4>, data !cir.float, pad !cir.array<!u8i x 4>}>
 */
#include "text/old/old.h"

#include "ir/layout.h"

typedef struct Padded {
	IrType *record;
	uint8_t *marks; /* MARK_UNTOLD: may be padding */
} Padded;

static uint64_t round_up(uint64_t v, uint64_t align)
{
	return (v + align - 1) & ~(align - 1);
}

/* The size of the first n members as a record. */
static uint64_t size_without_rest(IrType *record, uint32_t n, uint64_t end)
{
	uint64_t align = 1;
	for (uint32_t i = 0; i < n && !record->packed; i++)
		if (ir_type_align(record->members[i]) > align)
			align = ir_type_align(record->members[i]);
	return round_up(end, align);
}

/* Does what follows begin where the member, which begins at `begin`, ends, but not without it? */
static bool fills_gap(IrType *record, uint32_t i, uint64_t begin)
{
	uint64_t end = begin + ir_type_size(record->members[i]);
	if (end == begin)
		return false;
	if (i + 1 == record->nmembers)
		return end == ir_type_size(record) && size_without_rest(record, i, begin) != end;
	return end == ir_record_offset_after(record, i + 1, end) &&
	       ir_record_offset_after(record, i + 1, begin) != end;
}

/* Where none fills a gap, which clang does not write, any member of bytes may be padding. */
static void find_gaps(Padded *s)
{
	IrType *record = s->record;
	bool fills = false;
	uint64_t end = 0;
	for (uint32_t i = 0; i < record->nmembers; i++) {
		uint64_t begin = ir_record_offset_after(record, i, end);
		if (parse_is_filler(record->members[i]) && fills_gap(record, i, begin)) {
			s->marks[i] = MARK_UNTOLD;
			fills = true;
		}
		end = begin + ir_type_size(record->members[i]);
	}
	for (uint32_t i = 0; i < record->nmembers && !fills; i++)
		if (parse_is_filler(record->members[i]))
			s->marks[i] = MARK_UNTOLD;
}

/* Those that only one member of may be padding need no more. */
static bool is_ambiguous(const Padded *s)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->record->nmembers; i++)
		n += s->marks[i] == MARK_UNTOLD;
	return n > 1;
}

void parse_note_access(Parser *p, IrOp *op)
{
	if (op->kind == OP_GET_MEMBER || op->kind == OP_EXTRACT_MEMBER || op->kind == OP_INSERT_MEMBER)
		vec_push(p->mem, &p->accesses, op);
}

static void leave_out_accessed(Parser *p, const PtrMap *ambiguous)
{
	for (uint32_t i = 0; i < p->accesses.len; i++) {
		const IrOp *op = p->accesses.data[i];
		const IrValue *from = ir_operand(op, 0); /* NULL: the op was erased */
		const IrType *t = from ? from->type : NULL;
		const Padded *s = t ? ptrmap_get(ambiguous, ir_is_ptr(t) ? t->elem : t) : NULL;
		uint64_t index = s ? ir_op_uint(op, NAME_index, UINT64_MAX) : 0;
		if (s && index < s->record->nmembers)
			s->marks[index] = MARK_DATA;
	}
}

static void mark_gaps(Parser *p, const Padded *s)
{
	IrType *record = s->record;
	bool told = !is_ambiguous(s);
	for (uint32_t i = 0; i < record->nmembers && told; i++)
		if (s->marks[i] == MARK_UNTOLD)
			s->marks[i] = MARK_PAD;
	record->marks = arena_copy_n(&p->m->arena, s->marks, record->nmembers, 1);
}

static void find_padding(Parser *p)
{
	PtrMap ambiguous = {0};
	VEC(Padded) all = {0};
	vec_reserve(p->mem, &all, p->padded_records.len);
	for (uint32_t i = 0; i < p->padded_records.len; i++) {
		Padded s = {.record = p->padded_records.data[i]};
		if (!ir_type_sized(s.record))
			continue;
		s.marks = arena_array(p->mem, uint8_t, s.record->nmembers);
		find_gaps(&s);
		vec_push(p->mem, &all, s);
		if (is_ambiguous(&s))
			ptrmap_put(p->mem, &ambiguous, s.record, &all.data[all.len - 1]);
	}
	if (ambiguous.len)
		leave_out_accessed(p, &ambiguous);
	for (uint32_t i = 0; i < all.len; i++)
		mark_gaps(p, &all.data[i]);
}

/* `pad` of a record whose padding is not known is a MARK_UNTOLD. */
static void forget_padding(Parser *p, IrType *record)
{
	uint8_t *marks = arena_copy_n(&p->m->arena, record->marks, record->nmembers, 1);
	for (uint32_t i = 0; i < record->nmembers; i++)
		if (marks[i] == MARK_PAD)
			marks[i] = MARK_UNTOLD;
	record->marks = marks;
	p->m->padding_untold = true;
}

/* The entries of cir.record_traits, by names of records. */
static PtrMap find_traits(Parser *p)
{
	PtrMap traits = {0};
	const IrAttr *all = ir_module_attr(p->m, NAME_cir_record_traits);
	for (uint32_t i = 0; all && all->kind == ATTR_DICT && i < all->n; i++)
		if (all->elems[i]->kind == ATTR_DICT)
			ptrmap_put(p->mem, &traits, all->keys[i], (void *)(uintptr_t)all->elems[i]);
	return traits;
}

static void read_traits(Parser *p)
{
	PtrMap traits = find_traits(p);
	for (uint32_t i = 0; traits.len && i < p->m->types.len; i++) {
		IrType *t = p->m->types.held[i];
		bool marked = t->kind == TYPE_RECORD && t->name && t->marks;
		const IrAttr *told = marked ? ptrmap_get(&traits, t->name) : NULL;
		const IrAttr *known = told ? ir_dict_get(told, NAME_padding_known) : NULL;
		if (known && known->kind == ATTR_FLAG && !known->bits)
			forget_padding(p, t);
	}
}

void parse_tell_padding(Parser *p)
{
	const IrAttr *all = ir_module_attr(p->m, NAME_cir_record_traits), *no = ir_attr_flag(p->m, false);
	PtrMap traits = find_traits(p);
	VEC(Name *) names = {0};
	VEC(const IrAttr *) values = {0};
	for (uint32_t i = 0; i < p->padded_records.len; i++) {
		const IrType *record = p->padded_records.data[i];
		if (!ir_is_padding_untold(record))
			continue;
		vec_push(p->mem, &names, record->name);
		vec_push(p->mem, &values,
		         ir_dict_with(p->m, ptrmap_get(&traits, record->name), &p->known[NAME_padding_known],
		                      &no, 1));
	}
	p->m->padding_untold = p->m->padding_untold || names.len;
	if (names.len && (!all || all->kind == ATTR_DICT))
		ir_module_set_attr(p->m, p->known[NAME_cir_record_traits],
		                   ir_dict_with(p->m, all, names.data, values.data, names.len));
}

void parse_padded(Parser *p)
{
	if (p->padded_records.len)
		find_padding(p);
	read_traits(p);
	parse_tell_padding(p);
}
