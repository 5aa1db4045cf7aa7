/* call/sysv_x86_64.c: System V ABI, AMD64 supplement, 3.2.3 "Parameter Passing".
 *
 * The classes of a value's eightbytes (call/sysv_class.h) say which registers it goes in, and the types of the pieces
 * follow clang's choice for each. Where the document is silent, or compilers differ, clang's answer is taken and
 * said so.
 */
#include "call/sysv_class.h"

#include "ir/layout.h"

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
	if (sysv_is_int128_vector(inner))
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

static IrType *low_piece(AbiTypes *types, IrType *t, SysvClasses c)
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

static IrType *high_piece(AbiTypes *types, IrType *t, SysvClasses c)
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

static AbiPassing pass_pieces(AbiTypes *types, IrType *t, SysvClasses c)
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

/* Of two; clang has it go as an integer, but a record of two in its form. */
static bool is_two_halves(const IrType *t)
{
	return t->kind == TYPE_VECTOR && t->count == 2 && is_half(t->elem);
}

/* Its own type is the piece, or LLVM makes the same pieces of it: of short vectors of floats too, which clang
 * has go as a double, and which are pieces themselves in what is lowered already. One of one element is no
 * piece of anything. */
static bool is_piece_itself(const AbiTypes *types, const IrType *t)
{
	switch (t->kind) {
	case TYPE_VECTOR:
		return t->count > 1 && (t->elem->kind == TYPE_FLOAT || is_half(t->elem)) &&
		       (!is_two_halves(t) || types->keeps_width);
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

static AbiPassing in_registers(AbiTypes *types, IrType *t, SysvClasses c)
{
	AbiPassing p = pass_pieces(types, t, c);
	bool same = p.npieces == 1 && p.pieces[0] == t;
	if (same || is_widened(t) || is_piece_itself(types, t))
		p.how = as_it_is(types, t).how;
	if (p.how == PASS_AS_IS && is_two_halves(t)) {
		p.ints = 0;
		p.floats = 1;
	}
	return p;
}

static bool is_nothing(SysvClasses c)
{
	return c.lo == CLASS_NONE && c.hi == CLASS_NONE;
}

static AbiPassing pass_result(AbiTypes *types, IrType *t)
{
	if (!ir_type_sized(t))
		return as_it_is(types, t);
	SysvClasses c = sysv_classify(types, t, true);
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
		return size > 8 && size <= types->vector_size &&
		       (!sysv_is_int128_vector(t) || t->elem->bitint);
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
static AbiPassing in_saved_register(AbiTypes *types, IrType *t, SysvClasses c)
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
	SysvClasses c = sysv_classify(types, t, named);
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
    .registers = {.ints = 6, .floats = 8},
    .list = ABI_LIST_SYSV,
    .widens = true,
    .atomic_in_memory = true,
    .result = pass_result,
    .param = pass_param,
    .is_told = sysv_is_told,
};
