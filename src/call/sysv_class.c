/* call/sysv_class.c: System V ABI, AMD64 supplement, 3.2.3, "Classification". */
#include "call/sysv_class.h"

#include "ir/layout.h"

enum { LARGEST = 64 }; /* a __m512 */

static const SysvClasses memory = {CLASS_MEMORY, CLASS_NONE};

static SysvClass merge_class(SysvClass a, SysvClass b)
{
	if (a == b || b == CLASS_NONE)
		return a;
	if (a == CLASS_NONE || b == CLASS_MEMORY)
		return b;
	if (a == CLASS_MEMORY)
		return a;
	if (a == CLASS_INTEGER || b == CLASS_INTEGER)
		return CLASS_INTEGER;
	bool x87 = (a >= CLASS_X87 && a <= CLASS_COMPLEX_X87) || (b >= CLASS_X87 && b <= CLASS_COMPLEX_X87);
	return x87 ? CLASS_MEMORY : CLASS_SSE;
}

static SysvClasses merge(SysvClasses a, SysvClasses b)
{
	return (SysvClasses){merge_class(a.lo, b.lo), merge_class(a.hi, b.hi)};
}

/* The "post merger cleanup". */
static SysvClasses clean_up(SysvClasses c, uint64_t size)
{
	if (c.hi == CLASS_MEMORY)
		return memory;
	if (c.hi == CLASS_X87UP && c.lo != CLASS_X87)
		return memory;
	if (size > 2 * EIGHTBYTE && (c.lo != CLASS_SSE || c.hi != CLASS_SSEUP))
		return memory;
	if (c.hi == CLASS_SSEUP && c.lo != CLASS_SSE)
		c.hi = CLASS_SSE;
	return c;
}

/* One class in the eightbyte of `at`. */
static SysvClasses one(SysvClass c, uint64_t at)
{
	return at < EIGHTBYTE ? (SysvClasses){c, CLASS_NONE} : (SysvClasses){CLASS_NONE, c};
}

/* One class in each eightbyte that [at, at + size) touches. */
static SysvClasses spread(SysvClass c, uint64_t at, uint64_t size)
{
	SysvClasses both = one(c, at);
	if (at < EIGHTBYTE && at + size > EIGHTBYTE)
		both.hi = c;
	return both;
}

static SysvClasses classify_int(const IrType *t, uint64_t at)
{
	if (t->width <= 64)
		return one(CLASS_INTEGER, at);
	return t->width <= 128 ? (SysvClasses){CLASS_INTEGER, CLASS_INTEGER} : one(CLASS_MEMORY, at);
}

static SysvClasses classify_complex(IrType *t, uint64_t at)
{
	uint64_t size = ir_type_size(t);
	switch (ir_float_width(t->elem)) {
	case 0:
		return size <= 16 ? spread(CLASS_INTEGER, at, size) : one(CLASS_MEMORY, at);
	case 80:
		return one(CLASS_COMPLEX_X87, at);
	case 128:
		return one(CLASS_MEMORY, at);
	default:
		return spread(CLASS_SSE, at, size);
	}
}

bool sysv_is_int128_vector(const IrType *t)
{
	return t->kind == TYPE_VECTOR && t->elem->kind == TYPE_INT && t->elem->width == 128;
}

/* Vectors of up to 4 bytes are integers, those of 8 go in SSE registers, but that <1 x
 * double> is in memory: GCC's rules. */
static SysvClasses classify_vector(AbiTypes *types, IrType *t, uint64_t at, bool named)
{
	uint64_t size = ir_type_size(t);
	if (size <= 4)
		return spread(CLASS_INTEGER, at, size);
	if (size == 8)
		return t->elem->kind == TYPE_DOUBLE ? one(CLASS_MEMORY, at) : spread(CLASS_SSE, at, size);
	bool fits = size == 16 || (named && size <= types->vector_size);
	bool wide_ints = size != 16 && sysv_is_int128_vector(t) && !t->elem->bitint;
	return fits && !wide_ints ? (SysvClasses){CLASS_SSE, CLASS_SSEUP} : one(CLASS_MEMORY, at);
}

static SysvClasses classify(AbiTypes *types, IrType *t, uint64_t at, bool named);

/* Bit-fields are integers where their bits are; unnamed ones are not there. */
static SysvClasses classify_bitfield(const IrType *unit, uint64_t at)
{
	SysvClasses c = {CLASS_NONE, CLASS_NONE};
	uint64_t bit = at * 8;
	bool gaps = ir_bitfields_have_gaps(unit, bit);
	for (uint32_t i = 0; i < unit->nmembers; i++) {
		uint32_t width = unit->widths[i];
		bit = ir_bitfield_at(unit, gaps, i, bit);
		if (width && (!unit->marks || !unit->marks[i])) {
			uint64_t first = bit / 8, last = (bit + width - 1) / 8;
			c = merge(c, spread(CLASS_INTEGER, first, last - first + 1));
		}
		bit += width;
	}
	return c;
}

/* Beyond two eightbytes only a whole vector goes in a register. */
static bool is_too_large(const AbiTypes *types, uint64_t whole, uint64_t part)
{
	return whole > 2 * EIGHTBYTE && (whole != part || whole > types->vector_size);
}

static SysvClasses classify_member(AbiTypes *types, IrType *record, uint32_t i, uint64_t at, bool named)
{
	IrType *t = record->members[i];
	bool in_union = record->record_kind == RECORD_UNION;
	if (is_too_large(types, ir_type_size(record), in_union ? ir_type_size(record) : ir_type_size(t)))
		return memory;
	if (t->kind == TYPE_BITFIELD)
		return classify_bitfield(t, at);
	if (abi_is_unit(types, record, i))
		return spread(CLASS_INTEGER, at, ir_type_size(t));
	if (at % abi_type_align(types, t))
		return memory;
	return classify(types, t, at, named);
}

static bool is_untold(const IrType *record, uint32_t i)
{
	return i < record->nmembers && record->marks && record->marks[i] == MARK_UNTOLD;
}

/* As much padding as there can be: two gaps are not side by side, so that of two members one has data. */
static SysvClasses classify_as_padding(IrType *record, uint32_t i, uint64_t at)
{
	uint64_t next = at + ir_type_size(record->members[i]);
	bool shares = is_untold(record, i + 1) && next % EIGHTBYTE;
	return shares ? one(CLASS_INTEGER, next) : (SysvClasses){CLASS_NONE, CLASS_NONE};
}

/* `_Atomic` members have no class of their own in clang. */
static bool holds_atomics(const AbiTypes *types, const IrType *record)
{
	const IrAttr *told = abi_record_trait(types, record, NAME_atomic);
	return told ? told->bits : ptrmap_get(&types->atomic, record) != NULL;
}

static SysvClasses merge_members(AbiTypes *types, IrType *t, uint64_t at, bool named)
{
	if (abi_is_flexible(types, t) || abi_goes_by_address(types, t) || holds_atomics(types, t))
		return memory;
	SysvClasses c = {CLASS_NONE, CLASS_NONE};
	bool empty = abi_is_told_empty(types, t);
	for (uint32_t i = 0; i < t->nmembers && !empty; i++) {
		if (!abi_member_counts(t, i))
			continue;
		uint64_t begin = at + ir_record_offset(t, i);
		if (types->untold_is_padding && is_untold(t, i))
			c = merge(c, classify_as_padding(t, i, begin));
		else
			c = merge(c, classify_member(types, t, i, begin, named));
		if (c.lo == CLASS_MEMORY || c.hi == CLASS_MEMORY)
			return memory;
	}
	return clean_up(c, ir_type_size(t));
}

typedef struct Answer {
	bool known;
	SysvClasses classes;
} Answer;

/* Each record once for a place: records that hold one twice, of which each holds another
 * twice, have no end otherwise. */
static SysvClasses classify_record(AbiTypes *types, IrType *t, uint64_t at, bool named)
{
	enum { PLACES = 2 * EIGHTBYTE };
	if (at >= PLACES)
		return merge_members(types, t, at, named);
	PtrMap *known = &types->classes[types->untold_is_padding];
	Answer *answers = ptrmap_get(known, t);
	if (!answers) {
		answers = arena_array(types->mem, Answer, 2 * PLACES);
		ptrmap_put(types->mem, known, t, answers);
	}
	Answer *answer = &answers[2 * at + named];
	if (!answer->known)
		*answer = (Answer){true, merge_members(types, t, at, named)};
	return answer->classes;
}

/* One that is too large says nothing, so that another member of a union may have it go in a register of 32 or 64
 * bytes: clang's answer, not gcc's. */
static SysvClasses classify_array(AbiTypes *types, IrType *t, uint64_t at, bool named)
{
	uint64_t size = ir_type_size(t), step = ir_type_size(t->elem);
	SysvClasses c = {CLASS_NONE, CLASS_NONE};
	if (size && at % abi_type_align(types, t->elem))
		return memory;
	if (!size || is_too_large(types, size, step))
		return c;
	for (uint64_t i = 0; i < size; i += step) {
		c = merge(c, classify(types, t->elem, at + i, named));
		if (c.lo == CLASS_MEMORY || c.hi == CLASS_MEMORY)
			return memory;
	}
	return clean_up(c, size);
}

static SysvClasses classify(AbiTypes *types, IrType *t, uint64_t at, bool named)
{
	if (abi_is_aggregate(t) && ir_type_size(t) > LARGEST)
		return memory;
	switch (t->kind) {
	case TYPE_RECORD:
		return classify_record(types, t, at, named);
	case TYPE_ARRAY:
		return classify_array(types, t, at, named);
	case TYPE_VECTOR:
		return classify_vector(types, t, at, named);
	case TYPE_COMPLEX:
		return classify_complex(t, at);
	case TYPE_INT:
	case TYPE_BUILTIN_INT:
		return classify_int(t, at);
	case TYPE_HALF:
	case TYPE_BF16:
	case TYPE_FLOAT:
	case TYPE_DOUBLE:
		return one(CLASS_SSE, at);
	case TYPE_F80:
		return (SysvClasses){CLASS_X87, CLASS_X87UP};
	case TYPE_F128:
		return (SysvClasses){CLASS_SSE, CLASS_SSEUP};
	case TYPE_LONG_DOUBLE:
		return classify(types, t->elem, at, named);
	case TYPE_METHOD:
		return (SysvClasses){CLASS_INTEGER, CLASS_INTEGER};
	default: /* bool, pointers, offsets of members */
		return one(CLASS_INTEGER, at);
	}
}

SysvClasses sysv_classify(AbiTypes *types, IrType *t, bool named)
{
	return classify(types, t, 0, named);
}

/* Classes only grow by what is merged, so that all of them as data and as many as can be as padding are the extremes. */
bool sysv_is_told(AbiTypes *types, IrType *t)
{
	if (!ir_type_sized(t))
		return true;
	SysvClasses data = classify(types, t, 0, true);
	types->untold_is_padding = true;
	SysvClasses padding = classify(types, t, 0, true);
	types->untold_is_padding = false;
	return data.lo == padding.lo && data.hi == padding.hi;
}
