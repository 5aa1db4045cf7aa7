/* call/aapcs64.c: Procedure Call Standard for the Arm 64-bit Architecture (AAPCS64), 6.8 "Parameter passing" and 6.9 "Result return".
 *
 * Up to four members of one floating-point or short-vector type ("homogeneous aggregates") go in as many vector registers, other records of
 * up to 16 bytes in one or two general ones, all others by the address of a copy that the caller makes. What does not fit into the registers
 * that are left goes in memory as a whole: LLVM sees to it, since each value is one argument. Nobody widens small integers.
 *
 * The types that carry the bytes are clang's, and so is what the document leaves to languages: an empty class is passed as its bytes in C++,
 * and not at all in C.
 *
 * Apple ("Writing ARM64 code for Apple platforms"): who makes a small integer widens it to 32 bits; an empty class is passed nowhere; what
 * stands behind an ellipsis goes on the stack. The last, and how arguments are packed there, is LLVM's work.
 *
 * Windows ("Overview of ARM64 ABI conventions" at learn.microsoft.com): a variadic function has no argument in vector registers, and no
 * homogeneous aggregates. The address for a result that is no aggregate of C++14 goes as a parameter does (call/record_trait.h). A
 * class of which cir.record_traits says so is not homogeneous.
 *
 * On both, the alignment of a record counts, with what `alignas` says of it, not that of its members.
 */
#include "call/type_passing.h"

#include "ir/layout.h"

enum { REGISTER = 8, PAIR = 16, HOMOGENEOUS_MAX = 4 };

static AbiPassing as_it_is(unsigned ints, unsigned floats)
{
	return (AbiPassing){.how = PASS_AS_IS, .ints = (uint8_t)ints, .floats = (uint8_t)floats};
}

/* No scalar and no vector is aligned to more than two registers; only `alignas` asks for that, which records have. */
static AbiPassing by_address(AbiTypes *types, IrType *t)
{
	uint32_t align = abi_type_align(types, t);
	if (!abi_is_aggregate(t) && align > PAIR)
		align = PAIR;
	return (AbiPassing){.how = PASS_ADDRESS, .ints = 1, .align = align};
}

static AbiPassing in_piece(IrType *piece, unsigned ints, unsigned floats)
{
	AbiPassing p = {.how = PASS_PIECES, .npieces = 1, .pieces = {piece}};
	p.ints = (uint8_t)ints;
	p.floats = (uint8_t)floats;
	return p;
}

/* Homogeneous aggregates (AAPCS64, 5.9.5), and the alignment of members */

typedef struct Contents {
	IrType *base; /* the type of all members; NULL: there is none yet */
	uint32_t n;   /* members; 0: it is no homogeneous aggregate */
	bool quad;    /* the type of a member is aligned to 16 bytes or more */
	bool other;   /* a member is no pointer */
} Contents;

static Contents contents_of(AbiTypes *types, IrType *t);

static bool same_base(IrType *a, IrType *b)
{
	return (a->kind == TYPE_VECTOR) == (b->kind == TYPE_VECTOR) && ir_type_size(a) == ir_type_size(b);
}

/* One of three floats has room for four. */
static IrType *whole_vector(AbiTypes *types, IrType *t)
{
	if (t->elem->kind == TYPE_BOOL)
		return t;
	return ir_type_vector(types->m, t->elem, ir_type_size(t) / ir_type_size(t->elem), false);
}

static Contents of_scalar(AbiTypes *types, IrType *t)
{
	uint64_t size = ir_type_size(t);
	if (t->kind == TYPE_LONG_DOUBLE)
		t = t->elem;
	if (t->kind == TYPE_VECTOR) {
		bool is_short = size == REGISTER || size == PAIR;
		return (Contents){is_short ? whole_vector(types, t) : NULL, is_short, size >= PAIR, true};
	}
	bool wide = ir_is_float(t) || t->kind == TYPE_INT,
	     pointer = t->kind == TYPE_PTR || t->kind == TYPE_VPTR;
	return (Contents){ir_is_float(t) ? t : NULL, ir_is_float(t), wide && size > REGISTER, !pointer};
}

/* Adds n times what a member has. */
static void add(Contents *all, Contents member, uint64_t n, bool in_union)
{
	bool one_base = !all->base || !member.base || same_base(all->base, member.base);
	uint64_t count = one_base && n <= HOMOGENEOUS_MAX ? member.n * n : 0;
	all->base = all->base ? all->base : member.base;
	all->quad |= member.quad;
	all->other |= member.other;
	if (!count || count > HOMOGENEOUS_MAX) {
		all->n = HOMOGENEOUS_MAX + 1; /* one too many: it stays so */
		return;
	}
	if (!in_union)
		all->n += (uint32_t)count;
	else if (count > all->n)
		all->n = (uint32_t)count;
}

static bool is_empty_record(const AbiTypes *types, IrType *t)
{
	if (t->kind != TYPE_RECORD)
		return false;
	if (abi_is_told_empty(types, t))
		return true;
	for (uint32_t i = 0; i < t->nmembers; i++)
		if (abi_member_counts(t, i))
			return false;
	return true;
}

static bool is_array_of_nothing(const AbiTypes *types, const IrType *record, uint32_t i)
{
	const IrType *t = record->members[i];
	return t->kind == TYPE_ARRAY && !t->count && !abi_is_unit(types, record, i);
}

static void add_member(AbiTypes *types, Contents *all, const IrType *record, uint32_t i)
{
	IrType *t = record->members[i];
	uint64_t n = 1;
	for (; t->kind == TYPE_ARRAY; t = t->elem)
		n *= n <= HOMOGENEOUS_MAX ? t->count : 1;
	if (is_empty_record(types, t)) {
		all->other = true;
		return;
	}
	Contents member = contents_of(types, t);
	if (t->kind == TYPE_RECORD &&
	    abi_type_align(types, t) >= PAIR) /* `alignas` of a member's type counts */
		member.quad = true;
	if (t->kind == TYPE_BITFIELD || abi_is_unit(types, record, i))
		member.n = 0;
	add(all, member, n, record->record_kind == RECORD_UNION);
}

/* A module says so of those whose members CIR's own rules would not move. */
static bool is_packed(const AbiTypes *types, const IrType *record)
{
	uint64_t align;
	return record->packed ||
	       (ir_attr_get_u64(abi_record_layout(types, record, RECORD_LAYOUT_ALIGN), &align) &&
	        align < PAIR);
}

static bool is_told_general(const AbiTypes *types, const IrType *record)
{
	const IrAttr *told = abi_record_trait(types, record, NAME_homogeneous);
	return types->call_conv == CALL_AAPCS64_WINDOWS && told && !told->bits;
}

static Contents of_record(AbiTypes *types, IrType *record)
{
	Contents all = {0};
	bool untold = types->untold_is_padding && record->marks;
	for (uint32_t i = 0; i < record->nmembers; i++) {
		bool padding = untold && record->marks[i] == MARK_UNTOLD;
		if (is_array_of_nothing(types, record, i)) {
			all.n = HOMOGENEOUS_MAX + 1;
			all.quad |= contents_of(types, record->members[i]->elem).quad;
			all.other = true;
		} else if (abi_member_counts(record, i) && !padding)
			add_member(types, &all, record, i);
	}
	bool padded = all.base && ir_type_size(all.base) * all.n != ir_type_size(record);
	if (all.n > HOMOGENEOUS_MAX || padded || abi_is_flexible(types, record) ||
	    is_told_general(types, record))
		all.n = 0;
	all.quad &= !is_packed(types, record);
	return all;
}

/* Cached: unions may hold unions twice, and so on. */
static Contents of_record_once(AbiTypes *types, IrType *record)
{
	PtrMap *known = &types->contents[types->untold_is_padding];
	Contents *c = ptrmap_get(known, record);
	if (!c) {
		c = arena_new(types->mem, Contents);
		*c = of_record(types, record);
		ptrmap_put(types->mem, known, record, c);
	}
	return *c;
}

static Contents contents_of(AbiTypes *types, IrType *t)
{
	Contents c = {0};
	switch (t->kind) {
	case TYPE_RECORD:
		return of_record_once(types, t);
	case TYPE_ARRAY:
		add(&c, contents_of(types, t->elem), t->count, false);
		c.n = c.n > HOMOGENEOUS_MAX ? 0 : c.n;
		return c;
	case TYPE_COMPLEX:
		add(&c, of_scalar(types, t->elem), 2, false);
		c.n = c.n > HOMOGENEOUS_MAX ? 0 : c.n;
		return c;
	case TYPE_BITFIELD:
		c.other = true;
		return c;
	default:
		return of_scalar(types, t);
	}
}

bool abi_is_homogeneous(AbiTypes *types, IrType *t)
{
	return contents_of(types, t).n != 0;
}

/* Records and the like */

static bool is_made_of_parts(const IrType *t)
{
	return abi_is_aggregate(t) || t->kind == TYPE_COMPLEX || t->kind == TYPE_METHOD;
}

static IrType *array_of(AbiTypes *types, IrType *t, uint64_t n)
{
	return ir_type_array(types->m, t, n);
}

/* One register, two, or an even one and the next. */
static AbiPassing in_general_registers(AbiTypes *types, IrType *t)
{
	uint64_t size = ir_type_size(t);
	IrModule *m = types->m;
	Contents c = contents_of(types, t);
	if (types->call_conv == CALL_AAPCS64 ? c.quad : abi_type_align(types, t) >= PAIR)
		return in_piece(ir_type_int(m, 128, false, false), 2, 0);
	/* As clang has it, so that the optimizer sees pointers. */
	IrType *one = c.other || is_empty_record(types, t) ? m->u64 : m->voidp;
	return size <= REGISTER ? in_piece(one, 1, 0) : in_piece(array_of(types, one, 2), 2, 0);
}

/* Where no registers are left, members of 16 bytes are aligned to 8 in a packed record (6.8.2, stage C, rule C.4). */
static AbiPassing in_vector_registers(AbiTypes *types, const Contents *c)
{
	AbiPassing p = in_piece(array_of(types, c->base, c->n), 0, c->n);
	bool packed = ir_type_size(c->base) >= PAIR && !c->quad;
	p.align = packed && types->call_conv == CALL_AAPCS64 ? REGISTER : 0;
	return p;
}

static bool is_nothing(const AbiTypes *types, IrType *t)
{
	bool counts = types->call_conv != CALL_AAPCS64_APPLE && ir_module_lang(types->m) != LANG_C;
	return !ir_type_size(t) || (!counts && is_empty_record(types, t));
}

/* general: not in vector registers */
static AbiPassing pass_parts(AbiTypes *types, IrType *t, bool general)
{
	if (abi_goes_by_address(types, t))
		return by_address(types, t);
	if (is_nothing(types, t))
		return (AbiPassing){.how = PASS_NOTHING};
	Contents c = contents_of(types, t);
	if (c.n && !general)
		return in_vector_registers(types, &c);
	return ir_type_size(t) > PAIR ? by_address(types, t) : in_general_registers(types, t);
}

static AbiPassing return_parts(AbiTypes *types, IrType *t)
{
	uint64_t size = ir_type_size(t);
	if (abi_goes_by_address(types, t))
		return by_address(types, t);
	if (is_empty_record(types, t) || !size)
		return (AbiPassing){.how = PASS_NOTHING};
	Contents c = contents_of(types, t);
	if (c.n && t->kind == TYPE_COMPLEX)
		return as_it_is(0, c.n);
	if (c.n)
		return in_piece(array_of(types, c.base, c.n), 0, c.n);
	if (size > PAIR)
		return by_address(types, t);
	if (size <= REGISTER)
		return in_piece(abi_int_of_size(types, size), 1, 0);
	if (abi_type_align(types, t) >= PAIR)
		return in_piece(ir_type_int(types->m, 128, false, false), 2, 0);
	return in_piece(array_of(types, types->m->u64, 2), 2, 0);
}

/* No aggregate of C++14, as Microsoft's compiler sees it. Homogeneous ones of vectors come back in registers all the same. */
static bool is_class(AbiTypes *types, IrType *t)
{
	const IrAttr *told = t->kind == TYPE_RECORD ? abi_record_trait(types, t, NAME_aggregate) : NULL;
	if (!types->msvc || abi_goes_by_address(types, t) || !told || told->bits)
		return types->msvc && abi_goes_by_address(types, t);
	Contents c = contents_of(types, t);
	return !c.n || c.base->kind != TYPE_VECTOR;
}

static AbiPassing among_params(AbiTypes *types, IrType *t)
{
	AbiPassing p = by_address(types, t);
	p.among_params = true;
	return p;
}

/* Scalars and vectors */

static bool is_legal_vector(IrType *t)
{
	uint64_t size = ir_type_size(t);
	bool power = (t->count & (t->count - 1)) == 0;
	return power && (size == REGISTER || (size == PAIR && t->count != 1));
}

/* Vectors that no register is for go as integers, and so do those of less than a register. */
static AbiPassing pass_vector(AbiTypes *types, IrType *t, bool general)
{
	uint64_t size = ir_type_size(t);
	IrType *u32 = types->m->u32;
	if (general && size >= REGISTER && size <= PAIR)
		return in_piece(ir_type_int(types->m, (uint32_t)size * 8, false, false),
		                size > REGISTER ? 2 : 1, 0);
	if (is_legal_vector(t))
		return as_it_is(0, 1);
	if (size < REGISTER)
		return in_piece(u32, 1, 0);
	if (size > PAIR)
		return by_address(types, t);
	return in_piece(ir_type_vector(types->m, u32, size / 4, false), 0, 1);
}

static AbiPassing pass_scalar(AbiTypes *types, IrType *t, bool general)
{
	uint64_t size = ir_type_size(t);
	bool widened = types->call_conv == CALL_AAPCS64_APPLE && t->kind == TYPE_INT && t->width < 32;
	if (t->kind == TYPE_INT && t->width > 128)
		return by_address(types, t);
	if (general && t->kind == TYPE_F128) /* LLVM takes the others to general registers by itself */
		return in_piece(ir_type_int(types->m, 128, false, false), 2, 0);
	if (ir_is_float(t) || t->kind == TYPE_LONG_DOUBLE)
		return as_it_is(0, 1);
	if (widened && !types->keeps_width)
		return (AbiPassing){.how = PASS_EXTENDED, .ints = 1};
	return as_it_is(size > REGISTER ? 2 : 1, 0);
}

static AbiPassing pass_result(AbiTypes *types, IrType *t)
{
	if (!ir_type_sized(t))
		return as_it_is(0, 0);
	if (is_made_of_parts(t))
		return return_parts(types, t);
	if (t->kind == TYPE_VECTOR)
		return ir_type_size(t) > PAIR ? by_address(types, t) : as_it_is(0, 1);
	return pass_scalar(types, t, false);
}

static AbiPassing pass_result_windows(AbiTypes *types, IrType *t)
{
	return ir_type_sized(t) && is_class(types, t) ? among_params(types, t) : pass_result(types, t);
}

/* What has no name is no class. */
static AbiPassing pass_method_result(AbiTypes *types, IrType *t)
{
	return t->kind == TYPE_RECORD && t->name ? among_params(types, t) : pass_result(types, t);
}

/* Registers are counted by LLVM. */
static AbiPassing pass_param(AbiTypes *types, IrType *t, AbiRegisters *free, bool named)
{
	bool general = types->call_conv == CALL_AAPCS64_WINDOWS && free->variadic;
	(void)named;
	if (!ir_type_sized(t))
		return as_it_is(0, 0);
	if (is_made_of_parts(t))
		return pass_parts(types, t, general);
	return t->kind == TYPE_VECTOR ? pass_vector(types, t, general) : pass_scalar(types, t, general);
}

static bool same_passing(const AbiPassing *a, const AbiPassing *b)
{
	return a->how == b->how && a->pieces[0] == b->pieces[0];
}

/* Does a value of t go the same way, whatever a MARK_UNTOLD in it is? */
static bool is_told(AbiTypes *types, IrType *t)
{
	AbiRegisters none = {0};
	AbiPassing data = pass_param(types, t, &none, true);
	types->untold_is_padding = true;
	AbiPassing padding = pass_param(types, t, &none, true);
	types->untold_is_padding = false;
	return same_passing(&data, &padding);
}

const AbiConvention abi_aapcs64 = {
    .list = ABI_LIST_AAPCS64, .is_told = is_told, .result = pass_result, .param = pass_param};
const AbiConvention abi_aapcs64_apple = {
    .list = ABI_LIST_BUFFER, .widens = true, .is_told = is_told, .result = pass_result, .param = pass_param};
const AbiConvention abi_aapcs64_windows = {
    .list = ABI_LIST_BUFFER, .is_told = is_told, .result = pass_result_windows, .param = pass_param};
const AbiConvention abi_aapcs64_windows_method = {.list = ABI_LIST_BUFFER,
                                                  .behind_this = true,
                                                  .is_told = is_told,
                                                  .result = pass_method_result,
                                                  .param = pass_param};
