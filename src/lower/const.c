/* Attributes to constants (cir-reference 3.1). Their nesting is limited where they are made (TYPE_DEPTH_MAX). */
#include "lower/lowerer.h"

#include "ir/layout.h"
#include "ir/spell.h"

/* Integers */

static unsigned word_count(const IrType *t)
{
	return (t->width + 63) / 64;
}

/* The words of a number, extended by its signedness to n of them. */
static const uint64_t *extended_words(Lower *e, const IrAttr *a, unsigned n)
{
	uint64_t *words = arena_array(e->scratch, uint64_t, n);
	for (unsigned i = 0; i < n; i++)
		words[i] = ir_attr_word(a, i);
	return words;
}

static LLVMValueRef int_constant(Lower *e, const IrAttr *a)
{
	LLVMTypeRef type = lower_type(e, a->type);
	if (!type || a->type->kind == TYPE_INDEX || a->type->width <= 64)
		return type ? lower_int(type, a->bits) : NULL;
	unsigned n = word_count(a->type);
	return LLVMConstIntOfArbitraryPrecision(type, n, extended_words(e, a, n));
}

/* A _BitInt with its padding. */
static LLVMValueRef padded_constant(Lower *e, const IrAttr *a)
{
	LLVMTypeRef type = lower_memory_type(e, a->type);
	if (!type || ir_type_size(a->type) <= 8)
		return type ? lower_int(type, a->bits) : NULL;
	unsigned n = (unsigned)(ir_type_size(a->type) / 8);
	const uint64_t *words = extended_words(e, a, n);
	LLVMValueRef *values = arena_array(e->scratch, LLVMValueRef, n);
	for (unsigned i = 0; i < n; i++)
		values[i] = LLVMConstInt(e->i64, words[i], false);
	return LLVMConstArray2(e->i64, values, n);
}

/* Floating point, from the text */

static size_t digits(Str s, size_t at)
{
	size_t n = 0;
	while (at + n < s.len && s.data[at + n] >= '0' && s.data[at + n] <= '9')
		n++;
	return n;
}

/* - digits . digits e[+-] digits; LLVM aborts on anything else. */
static bool is_decimal(Str s)
{
	size_t at = s.len && s.data[0] == '-';
	size_t whole = digits(s, at), fraction = 0;
	at += whole;
	if (at < s.len && s.data[at] == '.') {
		fraction = digits(s, at + 1);
		at += 1 + fraction;
	}
	if (whole + fraction == 0)
		return false;
	if (at < s.len && (s.data[at] == 'e' || s.data[at] == 'E')) {
		at++;
		at += at < s.len && (s.data[at] == '-' || s.data[at] == '+');
		size_t exponent = digits(s, at);
		if (!exponent)
			return false;
		at += exponent;
	}
	return at == s.len;
}

static bool is_word(Str s)
{
	if (s.len && s.data[0] == '-')
		s = (Str){s.data + 1, s.len - 1};
	return str_equal(s, STR("inf")) || str_equal(s, STR("nan"));
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* 0x7FC00000: the bits, as one number. */
static bool parse_bits(Str s, unsigned width, uint64_t words[2])
{
	if (s.len < 3 || s.data[0] != '0' || (s.data[1] | 32) != 'x')
		return false;
	words[0] = words[1] = 0;
	for (size_t i = 2; i < s.len; i++) {
		int digit = hex_digit(s.data[i]);
		if (digit < 0 || words[1] >> 60)
			return false;
		words[1] = words[1] << 4 | words[0] >> 60;
		words[0] = words[0] << 4 | (uint64_t)digit;
	}
	uint64_t over = width >= 128 ? 0 : width > 64 ? words[1] >> (width - 64) : words[1];
	return !over && (width >= 64 || !(words[0] >> width));
}

static LLVMValueRef float_constant(Lower *e, const IrAttr *a)
{
	LLVMTypeRef type = lower_type(e, a->type);
	Str text = name_str(a->name);
	uint64_t words[2];
	if (!type)
		return NULL;
	if (text.len && text.data[0] == '+')
		text = (Str){text.data + 1, text.len - 1};
	if (is_decimal(text) || is_word(text))
		return LLVMConstRealOfStringAndSize(type, text.data, (unsigned)text.len);
	unsigned width = ir_float_width(a->type);
	if (parse_bits(text, width, words))
		return LLVMConstBitCast(
		    LLVMConstIntOfArbitraryPrecision(lower_int_type(e, width), width > 64 ? 2 : 1, words),
		    type);
	lower_error(e, ": '%s' is not a valid value of type '%s'", a->name->text, lower_spell(e, a->type));
	return NULL;
}

/* Addresses */

LLVMValueRef lower_symbol(Lower *e, const Name *name)
{
	LLVMValueRef v = name ? e->symbols[name->id] : NULL;
	if (!v && name)
		v = e->declare(e, name);
	if (!v)
		lower_error(e, ": symbol '%s' has no counterpart in LLVM", name ? name->text : "");
	return v;
}

LLVMValueRef lower_find_symbol(Lower *e, const char *name)
{
	const Name *known = name_find(&e->m->names, str_of(name));
	return known && ir_symbol(known) ? lower_symbol(e, known) : NULL;
}

LLVMValueRef lower_address(Lower *e, const Name *symbol, uint64_t offset)
{
	LLVMValueRef base = lower_symbol(e, symbol);
	if (!base || !offset)
		return base;
	const IrOp *op = ir_symbol(symbol);
	IrType *t = ir_symbol_type(op);
	bool inside = op->kind == OP_GLOBAL && t && ir_type_sized(t) && offset <= ir_type_size(t);
	LLVMValueRef index = LLVMConstInt(e->word, offset, false);
	return inside ? LLVMConstInBoundsGEP2(e->i8, base, &index, 1) : LLVMConstGEP2(e->i8, base, &index, 1);
}

/* Bytes from the start of `t` to where the indices lead. */
static uint64_t path_offset(IrType *t, const IrAttr *const *indices, uint32_t n)
{
	uint64_t offset = 0;
	for (uint32_t i = 0; i < n; i++) {
		int64_t index;
		CHECK(ir_attr_get_i64(indices[i], &index));
		if (t->kind == TYPE_RECORD) {
			offset += ir_record_offset(t, (uint32_t)index);
			t = t->members[index];
		} else {
			IrType *elem = t->kind == TYPE_ARRAY ? t->elem : t;
			offset += (uint64_t)index * (ir_type_sized(elem) ? ir_type_size(elem) : 1);
			t = elem;
		}
	}
	return offset;
}

static uint64_t address_offset(const IrAttr *a)
{
	if (a->kind == ATTR_GLOBAL_OFFSET)
		return a->bits;
	return a->n ? path_offset(ir_symbol_type(ir_symbol(a->name)), a->elems, a->n) : 0;
}

/* Spaces from 256 on are segments, and pointers of 32 bits: no relocation makes an address of another one of theirs. */
static bool check_space(Lower *e, const IrAttr *a, LLVMTypeRef of, LLVMTypeRef type)
{
	enum { OTHER_SPACES = 256 };
	unsigned from = LLVMGetPointerAddressSpace(of), to = LLVMGetPointerAddressSpace(type);
	if (from == to || (from < OTHER_SPACES && to < OTHER_SPACES))
		return true;
	lower_error(e, ": address of '%s' in address space %u is not a constant in address space %u",
	            a->name->text, from, to);
	return false;
}

static bool check_address_type(Lower *e, const IrAttr *a, LLVMTypeRef of, LLVMTypeRef type)
{
	if (a->type->kind != TYPE_INT)
		return check_space(e, a, of, type);
	if (a->type->width <= 64)
		return true;
	lower_error(e, ": type of an address must have at most 64 bits; found '%s'", lower_spell(e, a->type));
	return false;
}

static LLVMValueRef address_constant(Lower *e, const IrAttr *a)
{
	LLVMTypeRef type = lower_type(e, a->type);
	LLVMValueRef v = lower_address(e, a->name, address_offset(a));
	if (!v || !type || !check_address_type(e, a, LLVMTypeOf(v), type))
		return NULL;
	if (a->type->kind == TYPE_INT)
		return LLVMConstPtrToInt(v, type);
	return LLVMTypeOf(v) == type ? v : LLVMConstAddrSpaceCast(v, type);
}

LLVMValueRef lower_thread_address(Lower *e, const IrAttr *a)
{
	LLVMTypeRef type = lower_type(e, a->type);
	LLVMValueRef v = lower_symbol_address(e, a->name);
	LLVMValueRef offset = LLVMConstInt(e->word, address_offset(a), false);
	if (!v || !type || !check_address_type(e, a, LLVMTypeOf(v), type))
		return NULL;
	if (!LLVMIsNull(offset))
		v = LLVMBuildGEP2(e->b, e->i8, v, &offset, 1, "");
	if (a->type->kind == TYPE_INT)
		return LLVMBuildPtrToInt(e->b, v, type, "");
	return LLVMTypeOf(v) == type ? v : LLVMBuildAddrSpaceCast(e->b, v, type, "");
}

static LLVMValueRef ptr_constant(Lower *e, const IrAttr *a)
{
	LLVMTypeRef type = lower_type(e, a->type);
	if (!type || !a->bits)
		return type ? LLVMConstNull(type) : NULL;
	return LLVMConstIntToPtr(LLVMConstInt(e->word, a->bits, false), type);
}

/* The variable that stands for the start of the image: LLVM knows it by its name, if it
 * is external and not defined, in no part of the module. */
static LLVMValueRef image_base(Lower *e)
{
	const Name *name = name_find(&e->m->names, STR("__ImageBase"));
	bool defined = name && ir_symbol(name) && lower_is_definition(ir_symbol(name));
	lower_find_symbol(e, "__ImageBase");
	LLVMValueRef base = LLVMGetNamedGlobal(e->module, "__ImageBase");
	if (!base && !LLVMGetNamedFunction(e->module, "__ImageBase")) {
		base = LLVMAddGlobal(e->module, e->i8, "__ImageBase");
		LLVMSetGlobalConstant(base, true);
	}
	const char *section = base ? LLVMGetSection(base) : NULL;
	if (base && !defined && LLVMIsDeclaration(base) && LLVMGetLinkage(base) == LLVMExternalLinkage &&
	    !LLVMIsThreadLocal(base) && (!section || !*section))
		return base;
	lower_error(e, ": '__ImageBase' must be an external variable, because it is the start of the image");
	return NULL;
}

/* trunc (sub (ptrtoint @symbol, ptrtoint @__ImageBase)): a relocation of COFF, which
 * LLVM has for windows-msvc alone */
static LLVMValueRef image_relative_constant(Lower *e, const IrAttr *a)
{
	LLVMTypeRef type = lower_type(e, a->type);
	const char *triple = LLVMGetTarget(e->module);
	if (!e->coff || strstr(triple, "gnu") || strstr(triple, "mingw")) {
		lower_error(
		    e, ": '#cir.image_relative' is only available on windows-msvc, but the target is '%s'",
		    triple);
		return NULL;
	}
	LLVMValueRef v = lower_symbol(e, a->name), base = image_base(e);
	if (!v || !base || !type)
		return NULL;
	LLVMValueRef distance = LLVMConstSub(LLVMConstPtrToInt(v, e->word), LLVMConstPtrToInt(base, e->word));
	return LLVMConstTrunc(distance, type);
}

static LLVMValueRef distance_constant(Lower *e, const IrAttr *a)
{
	LLVMTypeRef type = lower_type(e, a->type);
	LLVMValueRef to = lower_address(e, a->elems[0]->name, a->bits),
	             from = lower_symbol(e, a->elems[1]->name);
	if (!to || !from || !type)
		return NULL;
	if (e->coff && a->type->width != 32) {
		lower_error(e, ": '#cir.distance' must have 32 bits on Windows; found '%s'",
		            lower_spell(e, a->type));
		return NULL;
	}
	LLVMValueRef distance =
	    LLVMConstSub(LLVMConstPtrToInt(to, e->word), LLVMConstPtrToInt(from, e->word));
	return a->type->width == 64 ? distance : LLVMConstTrunc(distance, type);
}

/* Pointers to members; null is -1 or { 0, 0 }. */

static LLVMValueRef data_member_constant(Lower *e, const IrAttr *a)
{
	uint64_t offset = a->n ? path_offset(a->type->members[0], a->elems, a->n) : a->bits - 1;
	return LLVMConstInt(e->word, offset, false);
}

/* Itanium C++ ABI 2.3: a virtual function is its offset in the table plus one, which no
 * function's address is; or, where addresses say nothing, its offset, and adj says it. */
static LLVMValueRef method_constant(Lower *e, const IrAttr *a)
{
	LLVMValueRef parts[2] = {LLVMConstNull(e->word), LLVMConstNull(e->word)};
	if (a->name) {
		LLVMValueRef f = lower_symbol(e, a->name);
		if (!f)
			return NULL;
		parts[0] = LLVMConstPtrToInt(f, e->word);
	} else if (a->n) {
		bool in_adj = e->target->machine->virtual_in_adj;
		parts[0] = LLVMConstInt(e->word, a->bits + !in_adj, false);
		parts[1] = LLVMConstInt(e->word, in_adj, false);
	}
	return LLVMConstStructInContext(e->context, parts, 2, false);
}

/* Labels */

static LLVMValueRef label_address(Lower *e, const IrAttr *a, uint32_t i)
{
	LLVMValueRef function = lower_symbol(e, a->name);
	LLVMBasicBlockRef b = function ? lower_label_block(e, a->name, function, a->elems[i]) : NULL;
	return b ? LLVMBlockAddress(function, b) : NULL;
}

/* For emit/llvm_gaps/label_distance.h. */
static void list_distance(Lower *e, LLVMValueRef distance)
{
	LLVMMetadataRef of = LLVMValueAsMetadata(distance);
	LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, &of, 1);
	LLVMAddNamedMetadataOperand(e->module, "circ.label_distances", LLVMMetadataAsValue(e->context, node));
}

static LLVMValueRef label_distance(Lower *e, const IrAttr *a)
{
	LLVMTypeRef type = lower_type(e, a->type);
	LLVMValueRef first = label_address(e, a, 0), second = first ? label_address(e, a, 1) : NULL;
	if (!type || !second)
		return NULL;
	LLVMValueRef distance =
	    LLVMConstSub(LLVMConstPtrToInt(first, e->word), LLVMConstPtrToInt(second, e->word));
	if (e->options->places && a->type->width <= 64)
		list_distance(e, distance);
	unsigned address = ir_module_address_size(e->m) * 8;
	if (a->type->width == address)
		return distance;
	if (a->type->width < address)
		return LLVMConstTrunc(distance, type);
	lower_error(e, ": difference of labels must have at most %u bits; found '%s'", address,
	            lower_spell(e, a->type));
	return NULL;
}

/* Aggregates of scalars */

/* An address within data is a relocation; ELF has them from 16 bits on, for x86_64 of 8, too, COFF of 32 and 64 bits, WebAssembly those of an
 * address. */
static bool check_relocation(Lower *e, const IrAttr *a)
{
	if (a->kind != ATTR_GLOBAL_VIEW && a->kind != ATTR_GLOBAL_OFFSET)
		return true;
	unsigned address = ir_module_address_size(e->m) * 8;
	unsigned width = ir_is_int(a->type) ? a->type->width : address;
	const AbiMachine *m = e->target->machine;
	bool fits =
	    width >= 64 || width == 32 || (!e->coff && (width == 16 || (width == 8 && m->relocates_bytes)));
	if (m->relocates_addresses ? width == address : fits)
		return true;
	lower_error(e, ": address of type '%s' has no relocation", lower_spell(e, a->type));
	return false;
}

static LLVMValueRef vector_constant(Lower *e, const IrAttr *a)
{
	if (!lower_type(e, a->type))
		return NULL;
	LLVMValueRef *lanes = arena_array(e->scratch, LLVMValueRef, a->n);
	for (uint32_t i = 0; i < a->n; i++)
		if (!check_relocation(e, a->elems[i]) || !(lanes[i] = lower_constant(e, a->elems[i])))
			return NULL;
	return LLVMConstVector(lanes, a->n);
}

static LLVMValueRef complex_constant(Lower *e, const IrAttr *a)
{
	LLVMValueRef parts[2];
	for (uint32_t i = 0; i < 2; i++)
		if (!(parts[i] = lower_memory_constant(e, a->elems[i])))
			return NULL;
	return LLVMConstStructInContext(e->context, parts, 2, false);
}

static LLVMValueRef uniform_constant(const IrAttr *a, LLVMTypeRef type)
{
	if (!type)
		return NULL;
	if (a->kind == ATTR_ZERO)
		return LLVMConstNull(type);
	return a->kind == ATTR_UNDEF ? LLVMGetUndef(type) : LLVMGetPoison(type);
}

/* All */

static LLVMValueRef make_constant(Lower *e, const IrAttr *a)
{
	switch (a->kind) {
	case ATTR_INT:
		return int_constant(e, a);
	case ATTR_FLOAT:
		return float_constant(e, a);
	case ATTR_BOOL:
		return LLVMConstInt(e->i1, a->bits & 1, false);
	case ATTR_PTR:
		return ptr_constant(e, a);
	case ATTR_ZERO:
	case ATTR_UNDEF:
	case ATTR_POISON:
		return uniform_constant(a, lower_type(e, a->type));
	case ATTR_CONST_ARRAY:
	case ATTR_CONST_RECORD:
	case ATTR_VTABLE:
	case ATTR_TYPEINFO:
		return lower_aggregate_constant(e, a);
	case ATTR_CONST_VECTOR:
		return vector_constant(e, a);
	case ATTR_CONST_COMPLEX:
		return complex_constant(e, a);
	case ATTR_GLOBAL_VIEW:
	case ATTR_GLOBAL_OFFSET:
		return address_constant(e, a);
	case ATTR_DISTANCE:
		return distance_constant(e, a);
	case ATTR_IMAGE_REL:
		return image_relative_constant(e, a);
	case ATTR_DATA_MEMBER:
		return data_member_constant(e, a);
	case ATTR_METHOD:
		return method_constant(e, a);
	case ATTR_BLOCK_ADDR:
		return label_address(e, a, 0);
	case ATTR_BLOCK_DIFF:
		return label_distance(e, a);
	default:
		lower_error(e, ": '%s' is not a constant", ir_attr_str(e->scratch, a));
		return NULL;
	}
}

LLVMValueRef lower_constant(Lower *e, const IrAttr *a)
{
	if (!e->constants[a->id])
		e->constants[a->id] = make_constant(e, a);
	return e->constants[a->id];
}

LLVMValueRef lower_memory_constant(Lower *e, const IrAttr *a)
{
	if (a->type && a->type->kind == TYPE_BOOL && a->kind == ATTR_BOOL)
		return LLVMConstInt(e->i8, a->bits & 1, false);
	if (a->kind == ATTR_INT && a->type->bitint)
		return padded_constant(e, a);
	if (!check_relocation(e, a))
		return NULL;
	if (a->kind == ATTR_ZERO || a->kind == ATTR_UNDEF || a->kind == ATTR_POISON)
		return uniform_constant(a, lower_memory_type(e, a->type));
	return lower_constant(e, a);
}

LLVMTypeRef lower_constant_type(Lower *e, const IrAttr *a)
{
	switch (a->kind) {
	case ATTR_CONST_ARRAY:
	case ATTR_CONST_RECORD:
	case ATTR_VTABLE:
	case ATTR_TYPEINFO:
		if (!e->constant_types[a->id])
			e->constant_types[a->id] = lower_aggregate_type(e, a);
		return e->constant_types[a->id];
	default:
		return a->type ? lower_memory_type(e, a->type) : e->ptr;
	}
}

/* LLVM has thread-local aliases, which LLVM-C cannot make: the variable stands for them. */
static LLVMValueRef thread_address(Lower *e, const IrOp *symbol)
{
	LLVMValueRef v = lower_symbol(e, ir_symbol_name(lower_aliased(symbol)));
	if (!v)
		return NULL;
	LLVMTypeRef type = LLVMTypeOf(v);
	return lower_intrinsic(e, INTRINSIC_THREADLOCAL_ADDRESS, &type, 1, &v, 1);
}

LLVMValueRef lower_symbol_address(Lower *e, const Name *name)
{
	const IrOp *symbol = ir_symbol(name);
	bool thread = ir_op_has(symbol, NAME_tls_model) && !e->whole;
	return thread ? thread_address(e, symbol) : lower_symbol(e, name);
}

/* The builder stands in a function. */
LLVMValueRef lower_symbol_address_here(Lower *e, const Name *name)
{
	const IrOp *symbol = ir_symbol(name);
	bool thread = ir_op_has(symbol, NAME_tls_model) && e->options->in_process;
	return thread ? thread_address(e, symbol) : lower_symbol_address(e, name);
}

const IrOp *lower_aliased(const IrOp *symbol)
{
	while (ir_op_has(symbol, NAME_aliasee)) {
		symbol = ir_symbol(ir_op_symbol(symbol, NAME_aliasee));
		CHECK(symbol);
	}
	return symbol;
}
