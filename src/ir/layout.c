/* Layout is computed once per type and cached; that of pointers is there from the start (ir/type.c). Nesting of types is bounded by TYPE_DEPTH_MAX where they are
 * made, but records may contain records by name to any depth, so sizes are computed with a depth limit of
 * their own: a record nested deeper has no size (LAYOUT_DEPTH_MAX). */
#include "ir/layout.h"

enum { LAYOUT_DEPTH_MAX = 4096 };

typedef struct Layout {
	uint64_t size;
	uint32_t align; /* 0: no layout */
} Layout;

static Layout layout_of(IrType *t, unsigned depth);

/* v rounded up; UINT64_MAX when that does not fit. */
static uint64_t round_up(uint64_t v, uint64_t align)
{
	uint64_t r = (v + align - 1) & ~(align - 1);
	return r < v ? UINT64_MAX : r;
}

static Layout int_layout(const IrType *t)
{
	if (t->width <= 8)
		return (Layout){1, 1};
	uint32_t align = 1;
	while (align * 8 < t->width && align < (t->bitint ? 8u : 16u))
		align *= 2;
	return (Layout){round_up((t->width + 7) / 8, align), align};
}

static Layout elements_layout(Layout elem, uint64_t count)
{
	if (!elem.align)
		return elem;
	if (count && elem.size > UINT64_MAX / count)
		return (Layout){0, 0}; /* larger than the address space */
	return (Layout){elem.size * count, elem.align};
}

static Layout vector_layout(IrType *t, unsigned depth)
{
	Layout elem = layout_of(t->elem, depth + 1);
	/* a mask */
	bool bit = t->elem->kind == TYPE_BOOL || (t->elem->kind == TYPE_INT && t->elem->width == 1);
	uint64_t bits = bit ? 1 : elem.size * 8;
	if (!elem.align || t->scalable || !t->count || t->count > UINT32_MAX)
		return (Layout){0, 0};
	uint64_t size = 1;
	while (size < (bits * t->count + 7) / 8)
		size *= 2;
	return size > (1u << 30) ? (Layout){0, 0} : (Layout){size, (uint32_t)size};
}

static Layout struct_layout(IrType *t, uint32_t until, unsigned depth)
{
	Layout l = {0, 1};
	for (uint32_t i = 0; i < until; i++) {
		if (ir_is_zero_width(t->members[i]))
			continue;
		Layout m = layout_of(t->members[i], depth + 1);
		if (!m.align)
			return m;
		if (t->packed)
			m.align = 1;
		if (m.align > l.align)
			l.align = m.align;
		uint64_t at = round_up(l.size, m.align);
		if (at > UINT64_MAX - m.size)
			return (Layout){0, 0};
		l.size = at + m.size;
	}
	return l;
}

static uint32_t union_storage(IrType *t, unsigned depth)
{
	uint32_t best = UINT32_MAX;
	Layout found = {0, 0};
	for (uint32_t i = 0; i < t->nmembers; i++) {
		Layout m =
		    ir_is_zero_width(t->members[i]) ? (Layout){0, 0} : layout_of(t->members[i], depth + 1);
		if (m.align > found.align || (m.align == found.align && m.size > found.size)) {
			found = m;
			best = i;
		}
	}
	return best;
}

static Layout union_layout(IrType *t, unsigned depth)
{
	Layout l = {0, 1};
	for (uint32_t i = 0; i < t->nmembers; i++) {
		if (ir_is_zero_width(t->members[i]))
			continue;
		Layout m = layout_of(t->members[i], depth + 1);
		if (!m.align)
			return m;
		if (m.size > l.size)
			l.size = m.size;
		if (!t->packed && m.align > l.align)
			l.align = m.align;
	}
	if (t->padding) {
		uint32_t storage = union_storage(t, depth);
		uint64_t used = storage == UINT32_MAX ? 0 : layout_of(t->members[storage], depth + 1).size;
		Layout padding = layout_of(t->padding, depth + 1);
		if (!padding.align || used > UINT64_MAX - padding.size)
			return (Layout){0, 0};
		if (used + padding.size > l.size)
			l.size = used + padding.size;
	}
	return l;
}

static Layout record_layout(IrType *t, unsigned depth)
{
	if (!t->complete)
		return (Layout){0, 0};
	Layout l =
	    t->record_kind == RECORD_UNION ? union_layout(t, depth) : struct_layout(t, t->nmembers, depth);
	if (l.align)
		l.size = round_up(l.size, l.align);
	return l;
}

static Layout compute(IrType *t, unsigned depth)
{
	switch (t->kind) {
	case TYPE_BOOL:
		return (Layout){1, 1};
	case TYPE_INT:
	case TYPE_BUILTIN_INT:
		return int_layout(t);
	case TYPE_HALF:
	case TYPE_BF16:
		return (Layout){2, 2};
	case TYPE_FLOAT:
		return (Layout){4, 4};
	case TYPE_DOUBLE:
	case TYPE_INDEX:
		return (Layout){8, 8};
	case TYPE_F80:
	case TYPE_F128:
		return (Layout){16, 16};
	case TYPE_LONG_DOUBLE:
		return layout_of(t->elem, depth + 1);
	case TYPE_BITFIELD:
		return t->elem ? layout_of(t->elem, depth + 1) : (Layout){0, 1};
	case TYPE_COMPLEX:
		return elements_layout(layout_of(t->elem, depth + 1), 2);
	case TYPE_ARRAY:
		return elements_layout(layout_of(t->elem, depth + 1), t->count);
	case TYPE_VECTOR:
		return vector_layout(t, depth);
	case TYPE_RECORD:
		return record_layout(t, depth);
	default:
		return (Layout){0, 0};
	}
}

static Layout layout_of(IrType *t, unsigned depth)
{
	if (t->align)
		return (Layout){t->size, t->align};
	if (depth > LAYOUT_DEPTH_MAX)
		return (Layout){0, 0};
	Layout l = compute(t, depth);
	if (l.align) { /* nothing is written twice: threads may read types that have been asked for */
		t->size = l.size;
		t->align = l.align;
	}
	return l;
}

bool ir_type_sized(const IrType *t)
{
	return layout_of((IrType *)t, 0).align != 0; /* the cache is not part of the value */
}

uint64_t ir_type_size(IrType *t)
{
	Layout l = layout_of(t, 0);
	CHECK(l.align);
	return l.size;
}

uint32_t ir_type_align(IrType *t)
{
	Layout l = layout_of(t, 0);
	CHECK(l.align);
	return l.align;
}

uint64_t ir_record_offset_after(const IrType *record, uint32_t member, uint64_t end)
{
	if (record->record_kind == RECORD_UNION)
		return 0;
	return record->packed ? end : round_up(end, ir_type_align(record->members[member]));
}

uint64_t ir_record_offset(IrType *record, uint32_t member)
{
	CHECK(member < record->nmembers);
	Layout before =
	    record->record_kind == RECORD_UNION ? (Layout){0, 1} : struct_layout(record, member, 0);
	CHECK(before.align);
	return ir_record_offset_after(record, member, before.size);
}

static bool is_pad(const IrType *record, uint32_t member)
{
	return record->marks && record->marks[member] == MARK_PAD;
}

uint64_t ir_record_data_size(IrType *record)
{
	uint32_t n = record->nmembers;
	if (record->record_kind == RECORD_UNION) {
		uint64_t size = 0;
		for (uint32_t i = 0; i < n; i++)
			if (!ir_is_zero_width(record->members[i]) && ir_type_size(record->members[i]) > size)
				size = ir_type_size(record->members[i]);
		return record->padding ? size : ir_type_size(record);
	}
	while (n && (is_pad(record, n - 1) || ir_is_zero_width(record->members[n - 1])))
		n--;
	return struct_layout(record, n, 0).size;
}

uint32_t ir_union_storage(IrType *record)
{
	return union_storage(record, 0);
}

uint32_t ir_record_field(const IrType *record, uint32_t member)
{
	uint32_t field = 0;
	for (uint32_t i = 0; i < member; i++)
		field += !ir_is_zero_width(record->members[i]);
	return field;
}

uint64_t ir_bitfield_at(const IrType *unit, bool gaps, uint32_t i, uint64_t bit)
{
	uint64_t size = ir_type_size(unit->members[i]) * 8, width = unit->widths[i];
	if (!gaps || !size)
		return bit;
	bool crosses = width ? bit / size != (bit + width - 1) / size : bit % size != 0;
	return crosses ? (bit + size - 1) / size * size : bit;
}

bool ir_bitfields_have_gaps(const IrType *unit, uint64_t begin)
{
	uint64_t bit = begin;
	for (uint32_t i = 0; i < unit->nmembers; i++)
		bit = ir_bitfield_at(unit, true, i, bit) + unit->widths[i];
	return !unit->elem || bit <= begin + ir_type_size((IrType *)unit) * 8;
}

bool ir_is_incomplete(const IrType *t)
{
	return t->kind == TYPE_RECORD && !t->complete;
}

bool ir_signature_incomplete(const IrType *func)
{
	bool incomplete = ir_is_incomplete(func->elem);
	for (uint32_t i = 0; i < func->nmembers; i++)
		incomplete |= ir_is_incomplete(func->members[i]);
	return incomplete;
}
