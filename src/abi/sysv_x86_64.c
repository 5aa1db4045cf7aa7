/* abi/sysv_x86_64.c: System V ABI, AMD64 supplement, 3.2.3 "Parameter Passing".
 *
 * Each eightbyte of a value has a class; the classes say which registers it goes in, and the types of
 * the pieces follow clang's choice for each. Where the document is silent, or compilers differ,
 * clang's answer is taken and said so.
 */
#include "abi/passing.h"

#include "ir/layout.h"

enum { EIGHTBYTE = 8, LARGEST = 64 }; /* a __m512 */

typedef enum RegClass {
	CLASS_NONE,
	CLASS_INTEGER,
	CLASS_SSE,
	CLASS_SSEUP,
	CLASS_X87,
	CLASS_X87UP,
	CLASS_COMPLEX_X87,
	CLASS_MEMORY,
} RegClass;

/* Of the first eightbyte, and of all others. */
typedef struct Classes {
	RegClass lo, hi;
} Classes;

static const Classes memory = {CLASS_MEMORY, CLASS_NONE};

/* Classification (3.2.3, "Classification") */

static RegClass merge_class(RegClass a, RegClass b)
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

static Classes merge(Classes a, Classes b)
{
	return (Classes){merge_class(a.lo, b.lo), merge_class(a.hi, b.hi)};
}

/* The "post merger cleanup". */
static Classes clean_up(Classes c, uint64_t size)
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
static Classes one(RegClass c, uint64_t at)
{
	return at < EIGHTBYTE ? (Classes){c, CLASS_NONE} : (Classes){CLASS_NONE, c};
}

/* One class in each eightbyte that [at, at + size) touches. */
static Classes spread(RegClass c, uint64_t at, uint64_t size)
{
	Classes both = one(c, at);
	if (at < EIGHTBYTE && at + size > EIGHTBYTE)
		both.hi = c;
	return both;
}

static Classes classify_int(const IrType *t, uint64_t at)
{
	if (t->width <= 64)
		return one(CLASS_INTEGER, at);
	return t->width <= 128 ? (Classes){CLASS_INTEGER, CLASS_INTEGER} : one(CLASS_MEMORY, at);
}

static Classes classify_complex(IrType *t, uint64_t at)
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

static bool is_int128_vector(const IrType *t)
{
	return t->kind == TYPE_VECTOR && t->elem->kind == TYPE_INT && t->elem->width == 128;
}

/* Vectors of up to 4 bytes are integers, those of 8 go in SSE registers, but that <1 x
 * double> is in memory: GCC's rules. */
static Classes classify_vector(AbiTypes *types, IrType *t, uint64_t at, bool named)
{
	uint64_t size = ir_type_size(t);
	if (size <= 4)
		return spread(CLASS_INTEGER, at, size);
	if (size == 8)
		return t->elem->kind == TYPE_DOUBLE ? one(CLASS_MEMORY, at) : spread(CLASS_SSE, at, size);
	bool fits = size == 16 || (named && size <= types->vector_size);
	bool wide_ints = size != 16 && is_int128_vector(t) && !t->elem->bitint;
	return fits && !wide_ints ? (Classes){CLASS_SSE, CLASS_SSEUP} : one(CLASS_MEMORY, at);
}

static Classes classify(AbiTypes *types, IrType *t, uint64_t at, bool named);

/* Bit-fields are integers where their bits are; unnamed ones are not there. */
static Classes classify_bitfield(const IrType *unit, uint64_t at)
{
	Classes c = {CLASS_NONE, CLASS_NONE};
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

static Classes classify_member(AbiTypes *types, IrType *record, uint32_t i, uint64_t at, bool named)
{
	IrType *t = record->members[i];
	bool in_union = record->record_kind == RECORD_UNION;
	if (is_too_large(types, ir_type_size(record), in_union ? ir_type_size(record) : ir_type_size(t)))
		return memory;
	if (t->kind == TYPE_BITFIELD)
		return classify_bitfield(t, at);
	if (record->marks && record->marks[i] == MARK_BITFIELD)
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
static Classes classify_as_padding(IrType *record, uint32_t i, uint64_t at)
{
	uint64_t next = at + ir_type_size(record->members[i]);
	bool shares = is_untold(record, i + 1) && next % EIGHTBYTE;
	return shares ? one(CLASS_INTEGER, next) : (Classes){CLASS_NONE, CLASS_NONE};
}

static Classes merge_members(AbiTypes *types, IrType *t, uint64_t at, bool named)
{
	if (abi_is_flexible(types, t) || abi_goes_by_address(types, t))
		return memory;
	Classes c = {CLASS_NONE, CLASS_NONE};
	if (abi_is_told_empty(types, t))
		return c;
	for (uint32_t i = 0; i < t->nmembers; i++) {
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
	Classes classes;
} Answer;

/* Each record once for a place: records that hold one twice, of which each holds another
 * twice, have no end otherwise. */
static Classes classify_record(AbiTypes *types, IrType *t, uint64_t at, bool named)
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
static Classes classify_array(AbiTypes *types, IrType *t, uint64_t at, bool named)
{
	uint64_t size = ir_type_size(t), step = ir_type_size(t->elem);
	Classes c = {CLASS_NONE, CLASS_NONE};
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

static Classes classify(AbiTypes *types, IrType *t, uint64_t at, bool named)
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
		return (Classes){CLASS_X87, CLASS_X87UP};
	case TYPE_F128:
		return (Classes){CLASS_SSE, CLASS_SSEUP};
	case TYPE_LONG_DOUBLE:
		return classify(types, t->elem, at, named);
	case TYPE_METHOD:
		return (Classes){CLASS_INTEGER, CLASS_INTEGER};
	default: /* bool, pointers, offsets of members */
		return one(CLASS_INTEGER, at);
	}
}

/* Classes only grow by what is merged, so that all of them as data and as many as can be as padding are the extremes. */
bool abi_sysv_is_told(AbiTypes *types, IrType *t)
{
	if (!ir_type_sized(t))
		return true;
	Classes data = classify(types, t, 0, true);
	types->untold_is_padding = true;
	Classes padding = classify(types, t, 0, true);
	types->untold_is_padding = false;
	return data.lo == padding.lo && data.hi == padding.hi;
}

/* The types of the pieces */

static bool is_int_in_memory(const IrType *t)
{
	bool mask = t->kind == TYPE_VECTOR && t->elem->kind == TYPE_BOOL;
	return t->kind == TYPE_INT || t->kind == TYPE_BOOL ||
	       (mask && t->count == ir_type_size((IrType *)t) * 8);
}

static IrType *int_piece(AbiTypes *types, IrType *t, uint64_t at)
{
	uint64_t offset = at, rest = ir_type_size(t) - at;
	const IrType *s = abi_scalar_at(types, t, &offset);
	if (s && offset == 0) {
		if (s->kind == TYPE_PTR || s->kind == TYPE_VPTR)
			return types->m->voidp;
		uint64_t size = is_int_in_memory(s) ? ir_type_size((IrType *)s) : 0;
		if ((size == 1 || size == 2 || size == 4) &&
		    abi_is_padding(types, t, (at + size) * 8, (at + EIGHTBYTE) * 8, true))
			return abi_int_of_size(types, size);
	}
	return abi_int_of_size(types, rest < EIGHTBYTE ? rest : EIGHTBYTE);
}

static IrType *float_at(AbiTypes *types, IrType *t, uint64_t offset)
{
	IrType *s = abi_scalar_at(types, t, &offset);
	return s && offset == 0 && ir_is_float(s) ? s : NULL;
}

static bool is_half(const IrType *t)
{
	return t->kind == TYPE_HALF || t->kind == TYPE_BF16;
}

/* A union's storage may be the least of its members, where a larger one is packed without need: then all of the
 * eightbyte goes as a double. Bit-fields make it no such class, but their declared types may reach into it. */
static IrType *if_padding_follows(AbiTypes *types, IrType *t, uint64_t at, IrType *piece)
{
	uint64_t end = at + ir_type_size(piece), stop = at + EIGHTBYTE;
	bool whole = end == stop || abi_is_padding(types, t, end * 8, stop * 8, false);
	return whole ? piece : ir_type_simple(types->m, TYPE_DOUBLE);
}

/* As many floats as there are go together; what is not made of them goes as a double. */
static IrType *sse_piece(AbiTypes *types, IrType *t, uint64_t at)
{
	IrModule *m = types->m;
	IrType *dbl = ir_type_simple(m, TYPE_DOUBLE), *first = float_at(types, t, at), *second = NULL;
	uint64_t rest = ir_type_size(t) - at;
	if (!first || first->kind == TYPE_DOUBLE)
		return dbl;
	uint64_t size = ir_type_size(first);
	if (rest > size)
		second = float_at(types, t, at + size);
	if (!second && is_half(first) && rest > 4)
		second = float_at(types, t, at + 4);
	if (!second)
		return if_padding_follows(types, t, at, first);
	if (first->kind == TYPE_FLOAT && second->kind == TYPE_FLOAT)
		return ir_type_vector(m, first, 2, false);
	if (is_half(first) && is_half(second)) {
		uint32_t n = rest > 4 && float_at(types, t, at + 4) ? 4 : 2;
		return if_padding_follows(types, t, at, ir_type_vector(m, first, n, false));
	}
	if (is_half(first) || is_half(second))
		return ir_type_vector(m, ir_type_simple(m, TYPE_HALF), 4, false);
	return dbl;
}

/* What a record or an array has nothing but; else the type itself. */
static IrType *unwrap(IrType *t)
{
	for (;;) {
		IrType *only = t->kind == TYPE_ARRAY && t->count == 1 ? t->elem : NULL;
		uint32_t n = 0;
		for (uint32_t i = 0; t->kind == TYPE_RECORD && i < t->nmembers; i++)
			if (abi_member_counts(t, i) && n++ == 0)
				only = t->members[i];
		if (!only || n > 1 || ir_type_size(only) != ir_type_size(t))
			return t;
		t = only;
	}
}

/* A whole vector or __float128, on its own or wrapped. One of __int128 goes as one of
 * integers of 64 bits: LLVM would take its elements apart. */
static IrType *vector_piece(AbiTypes *types, IrType *t)
{
	IrType *inner = unwrap(t);
	if (is_int128_vector(inner))
		return ir_type_vector(types->m, types->m->u64, ir_type_size(inner) / 8, false);
	if (inner->kind == TYPE_LONG_DOUBLE)
		inner = inner->elem;
	if (inner->kind == TYPE_VECTOR || inner->kind == TYPE_F128)
		return inner;
	return ir_type_vector(types->m, ir_type_simple(types->m, TYPE_DOUBLE), ir_type_size(t) / 8, false);
}

/* clang keeps a _BitInt of more than 64 bits as one integer of 128 in records, but not on its own. */
static bool is_int128(AbiTypes *types, IrType *t)
{
	uint64_t offset = 0;
	const IrType *s = abi_scalar_at(types, t, &offset);
	return s && s->kind == TYPE_INT && (s->width == 128 || (s->bitint && s->width > 64 && s != t));
}

static IrType *low_piece(AbiTypes *types, IrType *t, Classes c)
{
	switch (c.lo) {
	case CLASS_INTEGER:
		if (c.hi == CLASS_INTEGER && is_int128(types, t))
			return ir_type_int(types->m, 128, false, false);
		return int_piece(types, t, 0);
	case CLASS_SSE:
		return c.hi == CLASS_SSEUP ? vector_piece(types, t) : sse_piece(types, t, 0);
	case CLASS_X87:
		return ir_type_simple(types->m, TYPE_F80);
	default:
		return NULL;
	}
}

static IrType *high_piece(AbiTypes *types, IrType *t, Classes c)
{
	if (c.hi == CLASS_INTEGER)
		return is_int128(types, t) && c.lo == CLASS_INTEGER ? NULL : int_piece(types, t, EIGHTBYTE);
	return c.hi == CLASS_SSE ? sse_piece(types, t, EIGHTBYTE) : NULL;
}

/* Together they make a record whose second member is at 8: the first has to reach up to it. */
static IrType *widen_low(AbiTypes *types, IrType *lo, IrType *hi)
{
	uint64_t align = ir_type_align(hi), end = (ir_type_size(lo) + align - 1) & ~(align - 1);
	if (end == EIGHTBYTE)
		return lo;
	bool sse = ir_is_float(ir_scalar(lo));
	return sse ? ir_type_simple(types->m, TYPE_DOUBLE) : types->m->u64;
}

static AbiPassing pass_pieces(AbiTypes *types, IrType *t, Classes c)
{
	AbiPassing p = {.how = PASS_PIECES};
	IrType *lo = low_piece(types, t, c), *hi = high_piece(types, t, c);
	if (lo && hi)
		lo = widen_low(types, lo, hi);
	if (!lo)
		p.offset = EIGHTBYTE;
	if (lo)
		p.pieces[p.npieces++] = lo;
	if (hi)
		p.pieces[p.npieces++] = hi;
	p.ints = (uint8_t)((c.lo == CLASS_INTEGER) + (c.hi == CLASS_INTEGER));
	p.floats = (uint8_t)((c.lo == CLASS_SSE) + (c.hi == CLASS_SSE));
	return p;
}

/* Parameters and results */

/* char, short and narrow _BitInt: clang's callers widen, and its callees rely on it, though the document
 * leaves it open. The lowering to LLVM does so for booleans. */
static bool is_widened(const IrType *t)
{
	return t->kind == TYPE_INT && (t->bitint ? t->width < 32 : t->width == 8 || t->width == 16);
}

/* Its own type is the piece, or LLVM makes the same pieces of it: of short vectors of floats too, which clang
 * has go as a double, and which are pieces themselves in what is lowered already. One of one element is no
 * piece of anything. */
static bool is_piece_itself(const IrType *t)
{
	switch (t->kind) {
	case TYPE_VECTOR:
		return t->count > 1 && (t->elem->kind == TYPE_FLOAT || is_half(t->elem));
	case TYPE_INT:
		return !t->bitint || t->width == 32 || t->width == 64 || t->width == 128;
	case TYPE_RECORD:
	case TYPE_ARRAY:
	case TYPE_COMPLEX:
	case TYPE_METHOD:
		return false;
	default:
		return true;
	}
}

static AbiPassing as_it_is(const AbiTypes *types, const IrType *t)
{
	return (AbiPassing){.how = is_widened(t) && !types->keeps_width ? PASS_EXTENDED : PASS_AS_IS};
}

static AbiPassing in_registers(AbiTypes *types, IrType *t, Classes c)
{
	AbiPassing p = pass_pieces(types, t, c);
	bool same = p.npieces == 1 && p.pieces[0] == t;
	if (same || is_widened(t) || is_piece_itself(t))
		p.how = as_it_is(types, t).how;
	return p;
}

static bool is_nothing(Classes c)
{
	return c.lo == CLASS_NONE && c.hi == CLASS_NONE;
}

static AbiPassing pass_result(AbiTypes *types, IrType *t)
{
	if (!ir_type_sized(t))
		return as_it_is(types, t);
	Classes c = classify(types, t, 0, true);
	if (is_nothing(c))
		return (AbiPassing){.how = PASS_NOTHING};
	if (c.lo == CLASS_COMPLEX_X87)
		return as_it_is(types, t); /* st(0) and st(1): the lowering's record of two does that */
	if (c.lo != CLASS_MEMORY)
		return in_registers(types, t, c);
	if (!abi_is_aggregate(t) && !(t->kind == TYPE_INT && t->bitint) && t->kind != TYPE_COMPLEX)
		return as_it_is(types, t);
	return (AbiPassing){.how = PASS_ADDRESS, .ints = 1, .align = abi_type_align(types, t)};
}

/* Scalars that have no room in registers are LLVM's business, but for vectors that the
 * target has no registers for, and those of __int128. */
static bool goes_as_scalar(const AbiTypes *types, IrType *t)
{
	if (t->kind == TYPE_VECTOR) {
		uint64_t size = ir_type_size(t);
		return size > 8 && size <= types->vector_size && (!is_int128_vector(t) || t->elem->bitint);
	}
	return !abi_is_aggregate(t) && t->kind != TYPE_COMPLEX && t->kind != TYPE_METHOD &&
	       !(t->kind == TYPE_INT && t->bitint);
}

static AbiPassing in_memory(AbiTypes *types, IrType *t, const AbiRegisters *free, bool named)
{
	if (goes_as_scalar(types, t) && (named || !abi_is_odd_vector(t)))
		return as_it_is(types, t);
	uint32_t align = abi_type_align(types, t);
	if (abi_goes_by_address(types, t))
		return (AbiPassing){.how = PASS_ADDRESS, .ints = 1, .align = align};
	uint64_t size = ir_type_size(t);
	align = align < EIGHTBYTE ? EIGHTBYTE : align;
	if (free->ints || align != EIGHTBYTE || size > EIGHTBYTE)
		return (AbiPassing){.how = PASS_BYVAL, .align = align};
	/* No register is left, so that an integer goes to the same place, and is easier for the optimizer. */
	return (AbiPassing){.how = PASS_PIECES, .npieces = 1, .pieces = {abi_int_of_size(types, size)}};
}

/* A vector that LLVM has otherwise in a register than in memory: va_arg reads what a register was saved as. */
static AbiPassing in_saved_register(AbiTypes *types, IrType *t, Classes c)
{
	AbiPassing p = in_registers(types, t, c);
	if (c.hi != CLASS_SSEUP || !abi_is_odd_vector(p.pieces[0]))
		return p;
	p.how = PASS_PIECES;
	p.pieces[0] = ir_type_vector(types->m, types->m->u64, ir_type_size(t) / EIGHTBYTE, false);
	return p;
}

static AbiPassing pass_param(AbiTypes *types, IrType *t, AbiRegisters *free, bool named)
{
	if (!ir_type_sized(t))
		return as_it_is(types, t);
	Classes c = classify(types, t, 0, named);
	AbiPassing p;
	if (is_nothing(c))
		return (AbiPassing){.how = PASS_NOTHING};
	if (c.lo == CLASS_MEMORY || c.lo == CLASS_X87 || c.lo == CLASS_COMPLEX_X87)
		p = in_memory(types, t, free, named);
	else
		p = named ? in_registers(types, t, c) : in_saved_register(types, t, c);
	if (p.ints > free->ints || p.floats > free->floats)
		p = in_memory(types, t, free, named);
	else {
		free->ints -= p.ints;
		free->floats -= p.floats;
	}
	return p;
}

const AbiConvention abi_sysv_x86_64 = {
    .registers = {.ints = 6, .floats = 8}, .result = pass_result, .param = pass_param};
