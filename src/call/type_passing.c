/* call/type_passing.c: what calling conventions ask of types.
 *
 * cost   what is asked about a type is bounded by its first 64 bytes and its members; records are asked for
 *        their members by recursion, which ir_check_nesting() bounds
 */
#include "call/type_passing.h"

#include "ir/layout.h"

/* What the module says of records (cir-reference 3.4) */

static void find_layouts(AbiTypes *types)
{
	const IrAttr *dict = ir_module_attr(types->m, NAME_cir_record_layouts);
	for (uint32_t i = 0; dict && dict->kind == ATTR_DICT && i < dict->n; i++) {
		const IrAttr *a = dict->elems[i];
		if (a->kind == ATTR_PARAMS && a->row == ATTR_ROW_RECORD_LAYOUT)
			ptrmap_put(types->mem, &types->layouts, dict->keys[i], (void *)(uintptr_t)a);
	}
}

static void find_traits(AbiTypes *types)
{
	const IrAttr *dict = ir_module_attr(types->m, NAME_cir_record_traits);
	for (uint32_t i = 0; dict && dict->kind == ATTR_DICT && i < dict->n; i++)
		ptrmap_put(types->mem, &types->traits, dict->keys[i], (void *)(uintptr_t)dict->elems[i]);
}

const IrAttr *abi_record_trait(const AbiTypes *types, const IrType *record, NameId trait)
{
	const IrAttr *told = record->name ? ptrmap_get(&types->traits, record->name) : NULL;
	return told ? ir_dict_get(told, trait) : NULL;
}

const IrAttr *abi_record_layout(const AbiTypes *types, const IrType *record, unsigned param)
{
	const IrAttr *a = record->name ? ptrmap_get(&types->layouts, record->name) : NULL;
	return a ? a->elems[param] : NULL;
}

/* The widest vector that a list of features gives registers for; 0: the list is silent. */
static uint32_t vector_size_of(Str features)
{
	static const struct {
		const char *feature;
		uint32_t size;
	} rows[] = {{"avx512f", 64}, {"avx2", 32}, {"avx", 32}};
	uint32_t size = 0;
	while (features.len) {
		const char *comma = memchr(features.data, ',', features.len);
		Str word = {features.data, comma ? (size_t)(comma - features.data) : features.len};
		size_t used = word.len + (comma != NULL);
		features = (Str){features.data + used, features.len - used};
		if (word.len && word.data[0] == '-')
			continue;
		if (word.len && word.data[0] == '+')
			word = (Str){word.data + 1, word.len - 1};
		for (unsigned i = 0; i < ARRAY_LEN(rows); i++)
			if (str_equal(word, str_of(rows[i].feature)) && rows[i].size > size)
				size = rows[i].size;
	}
	return size;
}

static bool has_definition(const IrBlock *top)
{
	IR_FOR_OPS (op, top)
		if (op->kind == OP_FUNC && !ir_func_is_declaration(op))
			return true;
	return false;
}

/* clang goes by the command line of the translation unit, which functions show: the least of
 * them, since some may ask for more. Declarations count only where nothing is defined: an unused one changes no code. */
static uint32_t module_vector_size(const IrModule *m)
{
	enum { SSE_SIZE = 16 };
	const Name *keys[] = {name_find(&m->names, STR("cir.target-features")),
	                      name_find(&m->names, STR("target-features"))};
	const Name *last = NULL; /* most functions say the same */
	uint32_t least = UINT32_MAX;
	if (!keys[0] && !keys[1])
		return 0;
	bool defines = has_definition(ir_module_block(m));
	IR_FOR_OPS (op, ir_module_block(m)) {
		if (op->kind != OP_FUNC || (defines && ir_func_is_declaration(op)))
			continue;
		for (uint32_t i = 0; i < op->nattrs; i++) {
			const IrNamedAttr *a = &op->attrs[i];
			if ((a->name != keys[0] && a->name != keys[1]) || a->value->kind != ATTR_STRING)
				continue;
			if (a->value->name == last)
				continue;
			last = a->value->name;
			uint32_t size = vector_size_of(name_str(last));
			size = size ? size : SSE_SIZE;
			least = size < least ? size : least;
		}
	}
	return least == UINT32_MAX ? 0 : least;
}

void abi_types_init(AbiTypes *types, IrModule *m, Arena *mem, const char *features)
{
	enum { SSE_SIZE = 16 };
	*types = (AbiTypes){.m = m, .mem = mem};
	find_layouts(types);
	find_traits(types);
	abi_guess(&types->guess, m, mem);
	uint32_t size = module_vector_size(m);
	if (!size && features)
		size = vector_size_of(str_of(features));
	types->vector_size = size ? size : SSE_SIZE;
}

uint32_t abi_type_align(AbiTypes *types, IrType *t)
{
	while (t->kind == TYPE_ARRAY)
		t = t->elem;
	uint64_t given;
	if (t->kind == TYPE_RECORD &&
	    ir_attr_get_u64(abi_record_layout(types, t, RECORD_LAYOUT_ALIGN), &given) && given &&
	    given <= UINT32_C(1) << 28 && (given & (given - 1)) == 0)
		return (uint32_t)given;
	return ir_type_align(t);
}

/* Objects that go by address (Itanium C++ ABI 3.1.2.3; Microsoft's C++ ABI likewise) */

static const char by_address = 1, by_value = 0; /* answers in AbiTypes.by_address */

void abi_doubt_copies(AbiTypes *types, const PtrMap *copied)
{
	for (uint32_t i = 0; i < copied->cap; i++)
		if (copied->keys[i])
			ptrmap_put(types->mem, &types->by_address, copied->keys[i],
			           (void *)(uintptr_t)&by_address);
}

/* Where the module does not specify it: what has a virtual pointer is copied by a function, and so is what contains such a record. */
static bool has_identity(AbiTypes *types, IrType *record)
{
	for (uint32_t i = 0; i < record->nmembers; i++) {
		IrType *t = record->members[i];
		while (t->kind == TYPE_ARRAY)
			t = t->elem;
		if (t->kind == TYPE_VPTR || (t->kind == TYPE_RECORD && abi_goes_by_address(types, t)))
			return true;
	}
	return false;
}

bool abi_goes_by_address(AbiTypes *types, IrType *t)
{
	if (t->kind != TYPE_RECORD)
		return false;
	const IrAttr *kind = abi_record_layout(types, t, RECORD_LAYOUT_ARG_PASSING);
	if (kind && kind->kind == ATTR_STRING)
		return !str_equal(name_str(kind->name), STR("can_pass_in_regs"));
	const char *known = ptrmap_get(&types->by_address, t);
	if (!known) {
		bool shown = ptrmap_get(&types->guess.by_address, t) || has_identity(types, t);
		known = shown ? &by_address : &by_value;
		ptrmap_put(types->mem, &types->by_address, t, (void *)(uintptr_t)known);
	}
	return known == &by_address;
}

/* Members */

bool abi_is_unit(const AbiTypes *types, const IrType *record, uint32_t i)
{
	const bool *units = ptrmap_get(&types->guess.units, record);
	bool marked = record->marks && record->marks[i] == MARK_BITFIELD;
	return marked || (units && units[i]);
}

bool abi_member_counts(IrType *record, uint32_t i)
{
	MemberMark mark = record->marks ? (MemberMark)record->marks[i] : MARK_DATA;
	const IrType *t = record->members[i];
	return mark != MARK_PAD && mark != MARK_EMPTY && !ir_is_zero_width(t) &&
	       ir_type_size(record->members[i]) != 0;
}

/* `bitfield !cir.array<!cir.array<!u8i x N> x 0>`, how clang wrote for some weeks of 2026 that the types of the
 * bit-fields before it go N bytes further than their unit; in a union, from its beginning. Else NULL. */
static IrType *declared_reach(const IrType *record, uint32_t i)
{
	const IrType *t = record->members[i];
	bool marked = record->marks && record->marks[i] == MARK_BITFIELD;
	return marked && t->kind == TYPE_ARRAY && t->count == 0 ? t->elem : NULL;
}

/* In a union it is an array of no elements. */
static bool ends_in_array(const IrType *record)
{
	const IrType *last = record->members[record->nmembers - 1];
	return record->record_kind != RECORD_UNION && last->kind == TYPE_ARRAY && last->count == 0;
}

bool abi_is_odd_vector(const IrType *t)
{
	if (t->kind != TYPE_VECTOR)
		return false;
	return t->elem->kind == TYPE_BOOL ||
	       (t->elem->kind == TYPE_INT && t->elem->width != ir_type_size(t->elem) * 8);
}

bool abi_is_told_empty(const AbiTypes *types, const IrType *t)
{
	const IrAttr *told = t->kind == TYPE_RECORD ? abi_record_layout(types, t, RECORD_LAYOUT_EMPTY) : NULL;
	return told && told->bits;
}

bool abi_is_flexible(const AbiTypes *types, const IrType *t)
{
	for (; t->kind == TYPE_RECORD && t->nmembers; t = t->members[t->nmembers - 1]) {
		const IrAttr *told = abi_record_trait(types, t, NAME_flexible);
		if (told)
			return told->bits;
		if (declared_reach(t, t->nmembers - 1) || abi_is_told_empty(types, t))
			return false;
		if (ends_in_array(t))
			return !types->bounds_arrays;
	}
	return false;
}

/* The last member that has bytes and begins at or before *offset. */
static IrType *member_at(AbiTypes *types, IrType *record, uint64_t *offset)
{
	if (record->record_kind == RECORD_UNION) {
		uint32_t storage = ir_union_storage(record);
		if (storage == UINT32_MAX || *offset < ir_type_size(record->members[storage]))
			return storage == UINT32_MAX ? NULL : record->members[storage];
		*offset = 0; /* the rest is bytes */
		return abi_int_of_size(types, 1);
	}
	IrType *found = NULL;
	uint64_t begin = 0, end = 0;
	for (uint32_t i = 0; i < record->nmembers; i++) {
		IrType *t = record->members[i];
		if (ir_is_zero_width(t) || !ir_type_size(t))
			continue;
		uint64_t align = record->packed ? 1 : ir_type_align(t);
		uint64_t at = (end + align - 1) & ~(align - 1);
		if (found && at > *offset)
			break;
		found = t;
		begin = at;
		end = at + ir_type_size(t);
	}
	*offset -= found ? begin : 0;
	return found;
}

IrType *abi_scalar_at(AbiTypes *types, IrType *t, uint64_t *offset)
{
	for (;;) {
		uint64_t size;
		switch (t->kind) {
		case TYPE_RECORD:
			t = member_at(types, t, offset);
			break;
		case TYPE_COMPLEX: /* of two, behind which there is nothing */
			size = ir_type_size(t->elem);
			*offset -= *offset >= size ? size : 0;
			t = t->elem;
			break;
		case TYPE_ARRAY:
			size = ir_type_size(t->elem);
			*offset = size ? *offset % size : *offset;
			t = t->elem;
			break;
		case TYPE_BITFIELD:
		case TYPE_LONG_DOUBLE:
			t = t->elem;
			break;
		default:
			return t;
		}
		if (!t)
			return NULL;
	}
}

/* Padding */

/* Each declared field counts with the whole of its declared type, named or not, of no
 * width too: so clang asks. */
static bool fields_are_padding(const IrType *unit, uint64_t begin, uint64_t start, uint64_t end)
{
	bool gaps = ir_bitfields_have_gaps(unit, begin);
	uint64_t at = begin;
	for (uint32_t i = 0; i < unit->nmembers; i++) {
		at = ir_bitfield_at(unit, gaps, i, at);
		if (at < end && at + ir_type_size(unit->members[i]) * 8 > start)
			return false;
		at += unit->widths[i];
	}
	return true;
}

/* Of bit-fields of no width that the module tells of besides the members: clang takes one for a field of its type. */
static bool has_separator(const AbiTypes *types, const IrType *record, uint64_t start, uint64_t end)
{
	const IrAttr *offsets = abi_record_layout(types, record, RECORD_LAYOUT_ZERO_WIDTH_OFFSETS);
	const IrAttr *widths = abi_record_layout(types, record, RECORD_LAYOUT_ZERO_WIDTH_WIDTHS);
	uint64_t at, width;
	for (uint32_t i = 0; offsets && widths && i < offsets->n && i < widths->n; i++)
		if (ir_attr_get_u64(offsets->elems[i], &at) && ir_attr_get_u64(widths->elems[i], &width) &&
		    at < end && (at >= start || width > start - at))
			return true;
	return false;
}

static bool members_are_padding(const AbiTypes *types, IrType *record, uint64_t start, uint64_t end,
                                bool fields)
{
	if (fields && has_separator(types, record, start, end))
		return false;
	uint64_t bytes = 0, separator = 0; /* the last field of no width: its bit */
	for (uint32_t i = 0; i < record->nmembers && bytes * 8 < end; i++) {
		IrType *t = record->members[i];
		bool in_union = record->record_kind == RECORD_UNION;
		uint64_t align = record->packed || in_union || !ir_type_sized(t) ? 1 : ir_type_align(t);
		uint64_t at = in_union ? 0 : (bytes + align - 1) & ~(align - 1);
		bytes = in_union ? 0 : at + ir_type_size(t);
		IrType *reach = declared_reach(record, i);
		if (!fields && (reach || t->kind == TYPE_BITFIELD))
			continue;
		if (reach)
			t = reach;
		else if (t->kind != TYPE_BITFIELD && !abi_member_counts(record, i))
			continue;
		if (at * 8 >= end)
			continue;
		uint64_t bit = at * 8;
		if (ir_is_zero_width(t))
			bit = separator = ir_bitfield_at(t, true, 0, bit > separator ? bit : separator);
		if (t->kind == TYPE_BITFIELD && !fields_are_padding(t, bit, start, end))
			return false;
		if (!abi_is_padding(types, t, start > at * 8 ? start - at * 8 : 0, end - at * 8, fields))
			return false;
	}
	return true;
}

/* `C.base`: a class C without its tail, as a base, or as a member that others may overlap. */
static bool is_without_tail(const IrType *t)
{
	static const char tail[] = ".base";
	size_t n = sizeof tail - 1;
	return t->kind == TYPE_RECORD && t->name && t->name->len > n &&
	       memcmp(t->name->text + t->name->len - n, tail, n) == 0;
}

/* As C++ has it, where t is without its tail: then it is often packed, and its fields' types may be wider than their unit. */
static uint32_t declared_align(IrType *t)
{
	if (t->kind != TYPE_BITFIELD && !is_without_tail(t))
		return ir_type_align(t);
	uint32_t align = 1;
	for (uint32_t i = 0; i < t->nmembers; i++) {
		uint32_t a = declared_align(t->members[i]);
		align = a > align ? a : align;
	}
	return align;
}

/* With the tail. */
static uint64_t whole_size(IrType *t)
{
	uint64_t align = is_without_tail(t) ? declared_align(t) : 1;
	return (ir_type_size(t) + align - 1) & ~(align - 1);
}

bool abi_is_padding(const AbiTypes *types, IrType *t, uint64_t start, uint64_t end, bool fields)
{
	if (t->kind == TYPE_BITFIELD) /* its record looks at its fields */
		return true;
	uint64_t size = whole_size(t);
	if (size * 8 <= start)
		return true;
	switch (t->kind) {
	case TYPE_RECORD:
		return members_are_padding(types, t, start, end, fields);
	case TYPE_ARRAY:
		size = ir_type_size(t->elem) * 8;
		for (uint64_t at = 0; size && at < end && at < t->count * size; at += size)
			if (at + size > start &&
			    !abi_is_padding(types, t->elem, start > at ? start - at : 0, end - at, fields))
				return false;
		return true;
	default:
		return false;
	}
}

IrType *abi_int_of_size(AbiTypes *types, uint64_t size)
{
	CHECK(size > 0 && size <= 8);
	return ir_type_int(types->m, (uint32_t)size * 8, false, false);
}
