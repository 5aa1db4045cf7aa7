/* Types of LLVM. Records are laid out by LLVM itself, so each one is compared with ir/layout when it is made. */
#include "lower/lowerer.h"

#include "ir/layout.h"
#include "ir/spell.h"

enum {
	INT_BITS_MAX = 1 << 23,
	INT_VALUE_MAX = 4096, /* bits: LEAVES_MAX for the steps of a product */
	PARAMS_MAX = 65535,   /* LLVM compares each with all others */
	NESTING_MAX = 1024,   /* LLVM walks records with recursion */
	/* a node of LLVM's instruction selection has at most 65,535 values, and slows down before */
	LEAVES_MAX = 4096,
};
static const uint64_t size_max = UINT64_C(1) << 47; /* the address space of x86_64 */

const char *lower_spell(Lower *e, const IrType *t)
{
	return ir_type_str(e->scratch, t);
}

LLVMTypeRef lower_int_type(const Lower *e, uint64_t bits)
{
	CHECK(bits > 0 && bits <= INT_BITS_MAX);
	return LLVMIntTypeInContext(e->context, (unsigned)bits);
}

LLVMValueRef lower_int(LLVMTypeRef type, uint64_t v)
{
	unsigned width = LLVMGetIntTypeWidth(type);
	return LLVMConstInt(type, width < 64 ? v & ((UINT64_C(1) << width) - 1) : v, false);
}

LLVMValueRef lower_splat_int(Lower *e, LLVMTypeRef type, uint64_t v)
{
	if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
		return lower_int(type, v);
	LLVMValueRef lane = lower_int(LLVMGetElementType(type), v);
	unsigned n = LLVMGetVectorSize(type);
	LLVMValueRef *lanes = arena_array(e->scratch, LLVMValueRef, n);
	for (unsigned i = 0; i < n; i++)
		lanes[i] = lane;
	return LLVMConstVector(lanes, n);
}

/* Scalars that the processor, or C there, does not have. */
static bool check_scalar(Lower *e, const IrType *t)
{
	const AbiMachine *m = e->target->machine;
	bool is_f80 = t->kind == TYPE_F80 || (t->kind == TYPE_LONG_DOUBLE && t->elem->kind == TYPE_F80);
	if (is_f80 && !m->has_f80)
		lower_error(e, ": target '%s' has no '!cir.f80'; its 'long double' is '%s'", e->target->name,
		            e->target->long_double_is_double ? "!cir.double" : "!cir.f128");
	else if (t->kind == TYPE_BF16 && !m->has_bf16)
		lower_error(e, ": target '%s' has no '!cir.bf16'", e->target->name);
	else if (t->kind == TYPE_INT && t->bitint && m->bitint_max && t->width > m->bitint_max)
		lower_error(e, ": type '%s' is too wide; on target '%s' a _BitInt has up to %u bits",
		            lower_spell(e, t), e->target->name, m->bitint_max);
	else
		return true;
	return false;
}

/* Sized, and neither too large nor too deep for LLVM. */
static bool check_storage(Lower *e, IrType *t)
{
	if (!ir_type_sized(t)) {
		lower_error(e, "requires a size of type '%s', which has none", lower_spell(e, t));
		return false;
	}
	if (ir_type_size(t) > size_max) {
		lower_error(e, ": type '%s' is larger than the address space", lower_spell(e, t));
		return false;
	}
	return check_scalar(e, t);
}

/* LLVM ends the process over numbered spaces that the processor does not have. */
bool lower_check_space(Lower *e, unsigned space)
{
	bool ok =
	    !space || e->target->machine->has_spaces || e->whole; /* whole: LLVM's own text of the target */
	if (!ok)
		lower_error(e, ": target '%s' has no address space %u", e->target->name, space);
	return ok;
}

static unsigned address_space(const IrType *t)
{
	return t->attr && t->attr->kind == ATTR_INT ? (unsigned)t->attr->bits : 0;
}

static bool is_padded(const IrType *t)
{
	return t->kind == TYPE_INT && t->bitint;
}

/* Integers */

/* Wider than 64 bits, a _BitInt is aligned to 8 where LLVM's integers are to 16: an
 * array of words has both right. */
static LLVMTypeRef padded_type(Lower *e, IrType *t)
{
	uint64_t size = ir_type_size(t);
	return size <= 8 ? lower_int_type(e, size * 8) : LLVMArrayType2(e->i64, size / 8);
}

LLVMTypeRef lower_access_type(Lower *e, IrType *t)
{
	return is_padded(t) ? lower_int_type(e, ir_type_size(t) * 8) : lower_memory_type(e, t);
}

LLVMValueRef lower_to_access(Lower *e, LLVMValueRef v, IrType *t)
{
	if (t->kind == TYPE_BOOL)
		return LLVMBuildZExt(e->b, v, e->i8, "");
	return is_padded(t) ? lower_resize(e, v, t->is_signed, lower_access_type(e, t)) : v;
}

LLVMValueRef lower_from_access(Lower *e, LLVMValueRef v, IrType *t)
{
	if (t->kind == TYPE_BOOL)
		return LLVMBuildTrunc(e->b, v, e->i1, "");
	LLVMTypeRef type = is_padded(t) ? lower_type(e, t) : NULL;
	return type ? lower_resize(e, v, t->is_signed, type) : v;
}

LLVMValueRef lower_to_memory(Lower *e, LLVMValueRef v, IrType *t)
{
	v = lower_to_access(e, v, t);
	if (!is_padded(t) || ir_type_size(t) <= 8)
		return v;
	LLVMTypeRef wide = LLVMTypeOf(v);
	LLVMValueRef words = LLVMGetPoison(padded_type(e, t));
	for (unsigned i = 0; i < ir_type_size(t) / 8; i++) {
		LLVMValueRef word = LLVMBuildLShr(e->b, v, LLVMConstInt(wide, i * 64, false), "");
		word = LLVMBuildTrunc(e->b, word, e->i64, "");
		words = LLVMBuildInsertValue(e->b, words, word, i, "");
	}
	return words;
}

LLVMValueRef lower_from_memory(Lower *e, LLVMValueRef v, IrType *t)
{
	if (!is_padded(t) || ir_type_size(t) <= 8)
		return lower_from_access(e, v, t);
	LLVMTypeRef wide = lower_access_type(e, t);
	LLVMValueRef whole = LLVMConstNull(wide);
	for (unsigned i = 0; i < ir_type_size(t) / 8; i++) {
		LLVMValueRef word = LLVMBuildExtractValue(e->b, v, i, "");
		word = LLVMBuildZExt(e->b, word, wide, "");
		word = LLVMBuildShl(e->b, word, LLVMConstInt(wide, i * 64, false), "");
		whole = LLVMBuildOr(e->b, whole, word, "");
	}
	return lower_from_access(e, whole, t);
}

static LLVMTypeRef int_type(Lower *e, const IrType *t)
{
	if (t->width > 0 && t->width <= INT_BITS_MAX)
		return lower_int_type(e, t->width);
	lower_error(e, ": type '%s' is wider than the integers of LLVM", lower_spell(e, t));
	return NULL;
}

/* Arrays and records */

/* What `outer` consists of `count` times. */
static void count_parts(Lower *e, const IrType *outer, const IrType *part, uint64_t count)
{
	uint64_t leaves = part->kind == TYPE_RECORD || part->kind == TYPE_ARRAY || part->kind == TYPE_BITFIELD
	                      ? e->leaves[part->id]
	                      : 1;
	if (part->kind == TYPE_INT)
		leaves = (part->width + 63) / 64;
	if (count > LEAVES_MAX)
		count = LEAVES_MAX + 1;
	uint64_t total = e->leaves[outer->id] + leaves * count;
	e->leaves[outer->id] = total > LEAVES_MAX ? LEAVES_MAX + 1 : (uint32_t)total;
	if (e->nesting[outer->id] < e->nesting[part->id] + 1)
		e->nesting[outer->id] = (uint16_t)(e->nesting[part->id] + 1);
}

static bool check_nesting(Lower *e, const IrType *t)
{
	if (e->nesting[t->id] <= NESTING_MAX && e->depth <= NESTING_MAX)
		return true;
	lower_error(e, ": type is nested deeper than %d levels", NESTING_MAX);
	return false;
}

static LLVMTypeRef array_type(Lower *e, IrType *t)
{
	LLVMTypeRef elem = lower_memory_type(e, t->elem);
	if (!elem)
		return NULL;
	e->leaves[t->id] = 0;
	count_parts(e, t, t->elem, t->count);
	return check_nesting(e, t) ? LLVMArrayType2(elem, t->count) : NULL;
}

static LLVMTypeRef bytes_type(Lower *e, uint64_t n)
{
	return LLVMArrayType2(e->i8, n);
}

/* { STORAGE, bytes to the full size } */
static bool union_fields(Lower *e, IrType *t, LLVMTypeRef *fields, uint32_t *n)
{
	uint32_t storage = ir_union_storage(t);
	uint64_t used = 0;
	*n = 0;
	if (storage != UINT32_MAX) {
		IrType *member = t->members[storage];
		fields[(*n)++] = lower_memory_type(e, member);
		if (!fields[0])
			return false;
		count_parts(e, t, member, 1);
		used = ir_type_size(member);
	}
	if (ir_type_size(t) > used) {
		fields[(*n)++] = bytes_type(e, ir_type_size(t) - used);
		e->leaves[t->id] +=
		    ir_type_size(t) - used > LEAVES_MAX ? LEAVES_MAX : (uint32_t)(ir_type_size(t) - used);
	}
	return true;
}

static bool has_field(const IrType *member)
{
	return member->kind != TYPE_BITFIELD || member->elem;
}

static bool struct_fields(Lower *e, IrType *t, LLVMTypeRef *fields, uint32_t *n)
{
	*n = 0;
	for (uint32_t i = 0; i < t->nmembers; i++) {
		if (!has_field(t->members[i]))
			continue;
		LLVMTypeRef field = lower_memory_type(e, t->members[i]);
		if (!field)
			return false;
		fields[(*n)++] = field;
		count_parts(e, t, t->members[i], 1);
	}
	return true;
}

static LLVMTypeRef struct_type(Lower *e, const IrType *t, LLVMTypeRef *fields, uint32_t n)
{
	static const char *const prefixes[] = {
	    [RECORD_STRUCT] = "struct", [RECORD_CLASS] = "class", [RECORD_UNION] = "union"};
	if (!t->name)
		return LLVMStructTypeInContext(e->context, fields, n, t->packed);
	const char *name = *t->name->text == '%' /* as LLVM has it (raise/type.c) */
	                       ? t->name->text + 1
	                       : arena_printf(e->scratch, "%s.%s", prefixes[t->record_kind], t->name->text);
	LLVMTypeRef type = LLVMStructCreateNamed(e->context, name);
	LLVMStructSetBody(type, fields, n, t->packed);
	return type;
}

/* LLVM must place everything where the front end and ir/layout believe it to be. */
static bool check_layout(Lower *e, IrType *t, LLVMTypeRef type)
{
	bool same = LLVMABISizeOfType(e->data, type) == ir_type_size(t);
	if (t->kind == TYPE_RECORD)
		same = same && LLVMABIAlignmentOfType(e->data, type) == ir_type_align(t);
	if (!same)
		lower_error(e, ": type '%s' takes %llu bytes on the target; expected %llu", lower_spell(e, t),
		            LLVMABISizeOfType(e->data, type), (unsigned long long)ir_type_size(t));
	return same;
}

static LLVMTypeRef record_type(Lower *e, IrType *t)
{
	LLVMTypeRef *fields = arena_array(e->scratch, LLVMTypeRef, t->nmembers + 2);
	uint32_t n;
	e->leaves[t->id] = 0;
	bool ok =
	    t->record_kind == RECORD_UNION ? union_fields(e, t, fields, &n) : struct_fields(e, t, fields, &n);
	if (!ok || !check_nesting(e, t))
		return NULL;
	LLVMTypeRef type = struct_type(e, t, fields, n);
	return check_layout(e, t, type) ? type : NULL;
}

static LLVMTypeRef complex_type(Lower *e, IrType *t)
{
	LLVMTypeRef part = lower_memory_type(e, t->elem);
	return part ? LLVMStructTypeInContext(e->context, (LLVMTypeRef[]){part, part}, 2, false) : NULL;
}

/* LLVM packs the bits of its vectors: only elements that fill their bytes agree with
 * CIR's layout, and booleans. */
static LLVMTypeRef vector_type(Lower *e, IrType *t)
{
	LLVMTypeRef elem = lower_type(e, t->elem);
	if (!elem)
		return NULL;
	CHECK(!t->scalable && t->count && t->count <= UINT32_MAX);
	LLVMTypeRef type = LLVMVectorType(elem, (unsigned)t->count);
	return check_layout(e, t, type) ? type : NULL;
}

/* Functions */

/* Of records that are not complete only the address counts: void (), as clang has it. */
static LLVMTypeRef function_type(Lower *e, IrType *t)
{
	if (ir_signature_incomplete(t))
		return LLVMFunctionType(LLVMVoidTypeInContext(e->context), NULL, 0, false);
	if (t->nmembers > PARAMS_MAX) {
		lower_error(e, ": function type has %u parameters (limit %d)", t->nmembers, PARAMS_MAX);
		return NULL;
	}
	LLVMTypeRef *params = arena_array(e->scratch, LLVMTypeRef, t->nmembers + 1);
	for (uint32_t i = 0; i < t->nmembers; i++)
		if (!(params[i] = lower_type(e, t->members[i])) || !lower_check_value(e, t->members[i]))
			return NULL;
	LLVMTypeRef result = lower_type(e, t->elem);
	if (!result || !lower_check_value(e, t->elem))
		return NULL;
	return LLVMFunctionType(result, params, t->nmembers, t->variadic);
}

/* All */

static LLVMTypeRef float_type(const Lower *e, TypeKind kind)
{
	switch (kind) {
	case TYPE_HALF:
		return LLVMHalfTypeInContext(e->context);
	case TYPE_BF16:
		return LLVMBFloatTypeInContext(e->context);
	case TYPE_FLOAT:
		return LLVMFloatTypeInContext(e->context);
	case TYPE_DOUBLE:
		return LLVMDoubleTypeInContext(e->context);
	case TYPE_F80:
		return LLVMX86FP80TypeInContext(e->context);
	default:
		return LLVMFP128TypeInContext(e->context);
	}
}

/* Types with a layout. */
static LLVMTypeRef storage_type(Lower *e, IrType *t)
{
	switch (t->kind) {
	case TYPE_PTR:
		return lower_check_space(e, address_space(t))
		           ? LLVMPointerTypeInContext(e->context, address_space(t))
		           : NULL;
	case TYPE_INT:
	case TYPE_BUILTIN_INT:
		return int_type(e, t);
	case TYPE_BOOL:
		return e->i1;
	case TYPE_HALF:
	case TYPE_BF16:
	case TYPE_FLOAT:
	case TYPE_DOUBLE:
	case TYPE_F80:
	case TYPE_F128:
		return float_type(e, t->kind);
	case TYPE_LONG_DOUBLE:
		return float_type(e, t->elem->kind);
	case TYPE_VPTR:
		return e->ptr;
	case TYPE_DATA_MEMBER:
		return lower_check_member_form(e, t) ? e->word : NULL;
	case TYPE_INDEX:
		return e->i64;
	case TYPE_METHOD:
		if (!lower_check_member_form(e, t))
			return NULL;
		return LLVMStructTypeInContext(e->context, (LLVMTypeRef[]){e->word, e->word}, 2, false);
	case TYPE_COMPLEX:
		return complex_type(e, t);
	case TYPE_VECTOR:
		return vector_type(e, t);
	case TYPE_ARRAY:
		return array_type(e, t);
	case TYPE_RECORD:
		return record_type(e, t);
	case TYPE_BITFIELD:
		if (t->elem && lower_memory_type(e, t->elem))
			count_parts(e, t, t->elem, 1);
		return t->elem ? e->memory_types[t->elem->id] : NULL;
	default:
		lower_error(e, ": type '%s' has no counterpart in LLVM", lower_spell(e, t));
		return NULL;
	}
}

LLVMTypeRef lower_type(Lower *e, IrType *t)
{
	if (e->types[t->id])
		return e->types[t->id];
	LLVMTypeRef type;
	e->depth++;
	if (t->kind == TYPE_VOID)
		type = LLVMVoidTypeInContext(e->context);
	else if (t->kind == TYPE_FUNC)
		type = function_type(e, t);
	else if (t->kind == TYPE_CLEANUP_TOKEN || t->kind == TYPE_CATCH_TOKEN)
		type = LLVMTokenTypeInContext(e->context);
	else
		type = check_nesting(e, t) && check_storage(e, t) ? storage_type(e, t) : NULL;
	e->depth--;
	return e->types[t->id] = type;
}

LLVMTypeRef lower_memory_type(Lower *e, IrType *t)
{
	if (e->memory_types[t->id])
		return e->memory_types[t->id];
	LLVMTypeRef type;
	if (!check_storage(e, t))
		return NULL;
	if (t->kind == TYPE_BOOL)
		type = e->i8;
	else
		type = is_padded(t) ? padded_type(e, t) : lower_type(e, t);
	return e->memory_types[t->id] = type;
}

LLVMTypeRef lower_step_type(Lower *e, IrType *pointee)
{
	bool bytes = pointee->kind == TYPE_VOID || pointee->kind == TYPE_FUNC;
	return bytes ? e->i8 : lower_memory_type(e, pointee);
}

/* How many pieces LLVM's instruction selection makes of a value. */
static uint64_t parts_of(const Lower *e, const IrType *t)
{
	switch (t->kind) {
	case TYPE_RECORD:
	case TYPE_ARRAY:
		return e->leaves[t->id];
	case TYPE_INT: /* a product has as many as the square of its words */
		return (uint64_t)((t->width + 63) / 64) * ((t->width + 63) / 64);
	case TYPE_VECTOR:
		return t->count * parts_of(e, t->elem);
	default:
		return 1;
	}
}

bool lower_check_value(Lower *e, IrType *t)
{
	bool aggregate = t->kind == TYPE_RECORD || t->kind == TYPE_ARRAY;
	if (aggregate && !lower_type(e, t)) /* counts the parts */
		return false;
	if (parts_of(e, t) <= LEAVES_MAX)
		return true;
	if (t->kind == TYPE_INT)
		lower_error(e, ": a value of type '%s' has more than %d bits; keep it in memory",
		            lower_spell(e, t), INT_VALUE_MAX);
	else
		lower_error(e, ": a value of type '%s' has more than %d parts; keep it in memory",
		            lower_spell(e, t), LEAVES_MAX);
	return false;
}

LLVMValueRef lower_resize(Lower *e, LLVMValueRef v, bool is_signed, LLVMTypeRef to)
{
	return LLVMTypeOf(v) == to ? v : LLVMBuildIntCast2(e->b, v, to, is_signed, "");
}

bool lower_check_member_form(Lower *e, const IrType *t)
{
	if (!e->microsoft)
		return true;
	lower_error(e,
	            ": type '%s' must have the form of the Microsoft ABI here; start from flat CIR, whose "
	            "lowering gives it",
	            lower_spell(e, t));
	return false;
}
