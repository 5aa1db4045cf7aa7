/* Constants to attributes, in memory's form; the inverse of lower/const.c. Those of functions that are no plain numbers
 * are made by ops (value.c), which LLVM's builder folds to the same again. */
#include "raise/raiser.h"

#include "ir/layout.h"

#include <stdio.h>
#include <stdlib.h>

/* Numbers. LLVM-C shows no more than 64 bits of one: the others are read from their decimal text. */

static const IrAttr *wide_int(Raise *r, LLVMValueRef v, IrType *t)
{
	uint32_t n = (t->width + 63) / 64;
	uint64_t *words = raise_array(r->arena, sizeof(uint64_t), n);
	char *text = LLVMPrintValueToString(v);
	const char *at = strrchr(text, ' ') + 1;
	bool negative = *at == '-';
	memset(words, 0, n * sizeof *words);
	for (at += negative; *at >= '0' && *at <= '9'; at++) {
		uint64_t carry = (uint64_t)(*at - '0');
		for (uint32_t i = 0; i < n; i++) { /* by halves: a digit more is less than four bits */
			uint64_t low = (words[i] & UINT32_MAX) * 10 + carry;
			uint64_t high = (words[i] >> 32) * 10 + (low >> 32);
			words[i] = high << 32 | (low & UINT32_MAX);
			carry = high >> 32;
		}
	}
	for (uint32_t i = 0, carry = 1; negative && i < n; i++) {
		words[i] = ~words[i] + carry;
		carry = carry && !words[i];
	}
	LLVMDisposeMessage(text);
	return ir_attr_wide_int(r->m, t, words, n);
}

static const IrAttr *int_attr(Raise *r, LLVMValueRef v, IrType *t)
{
	if (t->kind == TYPE_BOOL)
		return ir_attr_bool(r->m, LLVMConstIntGetZExtValue(v) != 0);
	return t->width > 64 ? wide_int(r, v, t) : ir_attr_int(r->m, t, LLVMConstIntGetZExtValue(v));
}

/* 1e+17 is no number in MLIR: 1.0e+17. */
static void add_fraction(char *text)
{
	char *end = text + strcspn(text, "e");
	memmove(end + 2, end, strlen(end) + 1);
	memcpy(end, ".0", 2);
}

/* The bits, but decimal where that says the same number. */
static const IrAttr *float_attr(Raise *r, LLVMValueRef v, IrType *t)
{
	char text[64];
	LLVMBool inexact;
	double number = LLVMConstRealGetDouble(v, &inexact);
	char *printed = LLVMPrintValueToString(v);
	const char *bits = strstr(printed, " 0x");
	unsigned width = ir_float_width(t);
	snprintf(text, sizeof text, "%.17g", number);
	bool plain = number - number == 0 && width <= 64 && !inexact;
	if (plain && !strchr(text, '.'))
		add_fraction(text);
	if (!plain && width <= 64) {
		LLVMTypeRef type = LLVMIntTypeInContext(r->context, width);
		snprintf(text, sizeof text, "0x%llX", LLVMConstIntGetZExtValue(LLVMConstBitCast(v, type)));
	} else if (!plain && bits) { /* 0xK and 20 digits, 0xL and 32, of which the lower 16 come first */
		const char *digits = bits + 4;
		size_t len = strlen(digits);
		snprintf(text, sizeof text, "0x%s", digits);
		if (bits[3] == 'L' && len == 32)
			snprintf(text, sizeof text, "0x%.16s%.16s", digits + 16, digits);
	}
	LLVMDisposeMessage(printed);
	return ir_attr_intern(r->m,
	                      &(IrAttr){.kind = ATTR_FLOAT, .type = t, .name = ir_name(r->m, str_of(text))});
}

/* Aggregates */

static const IrAttr *uniform(Raise *r, AttrKind kind, IrType *t)
{
	return ir_attr_intern(r->m, &(IrAttr){.kind = kind, .type = t});
}

static bool is_bytes(const IrType *t)
{
	return t->kind == TYPE_ARRAY && ir_is_int(t->elem) && t->elem->width == 8;
}

static const IrAttr *text_attr(Raise *r, LLVMValueRef v, IrType *t)
{
	size_t len;
	const char *bytes = LLVMGetAsString(v, &len);
	return ir_attr_intern(r->m, &(IrAttr){.kind = ATTR_CONST_ARRAY,
	                                      .type = t,
	                                      .elem_type = t,
	                                      .name = ir_name(r->m, (Str){bytes, len})});
}

static uint64_t element_count(const IrType *t)
{
	return t->kind == TYPE_RECORD ? t->nmembers : t->count;
}

static const IrAttr *aggregate(Raise *r, LLVMValueRef v, IrType *t)
{
	enum { ELEMENTS_MAX = 1 << 26 };
	uint64_t n = element_count(t);
	if (n > ELEMENTS_MAX) {
		raise_error(r, "has a constant of more than %d elements", ELEMENTS_MAX);
		return NULL;
	}
	const IrAttr **elems = raise_array(r->arena, sizeof *elems, (uint32_t)n);
	for (uint32_t i = 0; i < n; i++) {
		LLVMValueRef part = LLVMGetAggregateElement(v, i);
		elems[i] = !part ? NULL
		           : t->kind == TYPE_VECTOR && t->elem == r->bool_type
		               ? raise_scalar(r, part, r->bool_type)
		               : raise_constant(r, part);
		if (!elems[i])
			return NULL;
	}
	AttrKind kind = t->kind == TYPE_RECORD   ? ATTR_CONST_RECORD
	                : t->kind == TYPE_VECTOR ? ATTR_CONST_VECTOR
	                                         : ATTR_CONST_ARRAY;
	return ir_attr_intern(r->m, &(IrAttr){.kind = kind, .type = t, .n = (uint32_t)n, .elems = elems});
}

/* Addresses: a symbol plus an offset in bytes */

typedef struct Address {
	LLVMValueRef symbol;
	uint64_t offset;
} Address;

static bool is_symbol(LLVMValueRef v)
{
	return LLVMIsAGlobalValue(v) != NULL;
}

/* Bytes that the indices behind the first step over; false: not by constants. */
static bool gep_offset(Raise *r, LLVMValueRef gep, uint64_t *offset)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
		LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
		if (!LLVMIsAConstantInt(index) || LLVMGetIntTypeWidth(LLVMTypeOf(index)) > 64)
			return false;
		uint64_t n = (uint64_t)LLVMConstIntGetSExtValue(index);
		if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			*offset += LLVMOffsetOfElement(r->data, type, (unsigned)n);
			type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
			continue;
		}
		if (i > 1)
			type = LLVMGetElementType(type);
		*offset += n * LLVMABISizeOfType(r->data, type);
	}
	return true;
}

static bool find_address(Raise *r, LLVMValueRef v, Address *a)
{
	enum { STEPS_MAX = 1000 };
	for (unsigned steps = 0; !is_symbol(v); steps++) {
		if (!LLVMIsAConstantExpr(v) || steps > STEPS_MAX)
			return false;
		LLVMOpcode code = LLVMGetConstOpcode(v);
		if (code == LLVMGetElementPtr && !gep_offset(r, v, &a->offset))
			return false;
		if (code != LLVMGetElementPtr && code != LLVMAddrSpaceCast && code != LLVMBitCast)
			return false;
		v = LLVMGetOperand(v, 0);
	}
	a->symbol = v;
	return true;
}

static const IrAttr *symbol_attr(Raise *r, LLVMValueRef symbol, uint64_t offset, IrType *t)
{
	Name *name = raise_symbol_name(r, symbol);
	if (!offset)
		return ir_attr_global_view(r->m, t, name, NULL, 0);
	return ir_attr_intern(r->m,
	                      &(IrAttr){.kind = ATTR_GLOBAL_OFFSET, .type = t, .name = name, .bits = offset});
}

static const IrAttr *address_attr(Raise *r, LLVMValueRef v, IrType *t)
{
	Address a = {0};
	if (!find_address(r, v, &a))
		return NULL;
	return symbol_attr(r, a.symbol, a.offset, t);
}

static const IrAttr *label_attr(Raise *r, LLVMValueRef v, IrType *t)
{
	const IrAttr *label = raise_label(r, LLVMGetBlockAddressBasicBlock(v));
	Name *name = raise_symbol_name(r, LLVMGetBlockAddressFunction(v));
	return ir_attr_intern(r->m, &(IrAttr){.kind = ATTR_BLOCK_ADDR,
	                                      .type = t,
	                                      .name = name,
	                                      .n = 1,
	                                      .elems = (const IrAttr *[]){label}});
}

static LLVMValueRef operand_of(LLVMValueRef v, LLVMOpcode code)
{
	return LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == code ? LLVMGetOperand(v, 0) : NULL;
}

static LLVMValueRef block_of(LLVMValueRef v)
{
	LLVMValueRef p = operand_of(v, LLVMPtrToInt);
	return p && LLVMIsABlockAddress(p) ? p : NULL;
}

/* The distance of two labels, cut to fewer bits or not. */
static const IrAttr *label_distance(Raise *r, LLVMValueRef v, IrType *t)
{
	LLVMValueRef cut = operand_of(v, LLVMTrunc), sub = cut ? cut : v;
	if (!operand_of(sub, LLVMSub))
		return NULL;
	LLVMValueRef a = block_of(LLVMGetOperand(sub, 0)), b = block_of(LLVMGetOperand(sub, 1));
	if (!a || !b || LLVMGetBlockAddressFunction(a) != LLVMGetBlockAddressFunction(b))
		return NULL;
	const IrAttr *labels[] = {raise_label(r, LLVMGetBlockAddressBasicBlock(a)),
	                          raise_label(r, LLVMGetBlockAddressBasicBlock(b))};
	return ir_attr_intern(r->m, &(IrAttr){.kind = ATTR_BLOCK_DIFF,
	                                      .type = t,
	                                      .name = raise_symbol_name(r, LLVMGetBlockAddressFunction(a)),
	                                      .n = 2,
	                                      .elems = labels});
}

/* What integers of addresses come to, in as many bits as the constant has: a symbol, less another, and a number. */
typedef struct Sum {
	LLVMValueRef symbols[2]; /* that is added, and that is taken off; NULL: none */
	uint64_t number;
} Sum;

static bool add_symbol(Sum *sum, LLVMValueRef symbol, bool minus)
{
	if (sum->symbols[!minus] == symbol) {
		sum->symbols[!minus] = NULL;
		return true;
	}
	if (sum->symbols[minus])
		return false;
	sum->symbols[minus] = symbol;
	return true;
}

static bool add_address(Raise *r, Sum *sum, LLVMValueRef p, bool minus)
{
	Address a = {0};
	if (!find_address(r, p, &a))
		return false;
	sum->number += minus ? -a.offset : a.offset;
	return add_symbol(sum, a.symbol, minus);
}

/* false: they come to something else. */
static bool add_terms(Raise *r, Sum *sum, LLVMValueRef v, bool minus, unsigned depth)
{
	enum { DEPTH_MAX = 100 };
	if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
		return false;
	if (LLVMIsAConstantInt(v)) {
		uint64_t number = LLVMConstIntGetZExtValue(v);
		sum->number += minus ? -number : number;
		return true;
	}
	if (!LLVMIsAConstantExpr(v) || depth > DEPTH_MAX)
		return false;
	LLVMOpcode code = raise_opcode(LLVMGetConstOpcode(v));
	LLVMValueRef first = LLVMGetOperand(v, 0);
	if (code == LLVMPtrToInt)
		return add_address(r, sum, first, minus);
	if (code == LLVMTrunc)
		return add_terms(r, sum, first, minus, depth + 1);
	return (code == LLVMAdd || code == LLVMSub) && add_terms(r, sum, first, minus, depth + 1) &&
	       add_terms(r, sum, LLVMGetOperand(v, 1), code == LLVMSub ? !minus : minus, depth + 1);
}

static bool is_image_base(Raise *r, LLVMValueRef symbol)
{
	size_t len;
	return strstr(LLVMGetTarget(r->module), "windows-msvc") &&
	       str_equal(str_of(LLVMGetValueName2(symbol, &len)), STR("__ImageBase"));
}

static const IrAttr *distance_attr(Raise *r, const Sum *sum, IrType *t)
{
	Name *to = raise_symbol_name(r, sum->symbols[0]), *from = raise_symbol_name(r, sum->symbols[1]);
	if (!sum->number && is_image_base(r, sum->symbols[1]))
		return ir_attr_intern(r->m, &(IrAttr){.kind = ATTR_IMAGE_REL, .type = t, .name = to});
	const IrAttr *symbols[] = {ir_attr_symbol(r->m, to), ir_attr_symbol(r->m, from)};
	return ir_attr_intern(
	    r->m, &(IrAttr){.kind = ATTR_DISTANCE, .type = t, .bits = sum->number, .n = 2, .elems = symbols});
}

/* NULL: not a number, an address or a distance. */
static const IrAttr *sum_attr(Raise *r, LLVMValueRef v, IrType *t)
{
	Sum sum = {0};
	if (!add_terms(r, &sum, v, false, 0) || (!sum.symbols[0] && sum.symbols[1]))
		return NULL;
	if (sum.symbols[0] && sum.symbols[1])
		return ir_is_int(t) ? distance_attr(r, &sum, t) : NULL;
	if (sum.symbols[0])
		return symbol_attr(r, sum.symbols[0], sum.number, t);
	if (ir_is_int(t))
		return ir_attr_int(r->m, t, sum.number);
	return ir_attr_intern(r->m, &(IrAttr){.kind = ATTR_PTR, .type = t, .bits = sum.number});
}

static const IrAttr *expression(Raise *r, LLVMValueRef v, IrType *t)
{
	LLVMValueRef n = operand_of(v, LLVMIntToPtr);
	const IrAttr *a = label_distance(r, v, t);
	if (!a && ir_is_ptr(t))
		a = address_attr(r, v, t);
	if (!a && (n || ir_is_int(t)))
		a = sum_attr(r, n ? n : v, t);
	if (!a && !r->failed) {
		char *text = LLVMPrintValueToString(v);
		raise_error(r, "has the constant '%.120s', which has no counterpart in CIR", text);
		LLVMDisposeMessage(text);
	}
	return a;
}

const IrAttr *raise_scalar(Raise *r, LLVMValueRef v, IrType *t)
{
	if (LLVMIsPoison(v))
		return uniform(r, ATTR_POISON, t);
	if (LLVMIsUndef(v))
		return uniform(r, ATTR_UNDEF, t);
	if (LLVMIsAConstantInt(v) && t->kind != TYPE_VECTOR)
		return int_attr(r, v, t);
	if (LLVMIsAConstantFP(v) && t->kind != TYPE_VECTOR)
		return float_attr(r, v, t);
	if (LLVMIsAConstantPointerNull(v))
		return ir_attr_null(r->m, t);
	if (ir_type_is_aggregate(t) && LLVMIsNull(v))
		return ir_attr_zero(r->m, t);
	if (is_bytes(t) && LLVMIsConstantString(v))
		return text_attr(r, v, t);
	if (ir_type_is_aggregate(t))
		return aggregate(r, v, t);
	if (LLVMIsABlockAddress(v))
		return label_attr(r, v, t);
	if (is_symbol(v))
		return address_attr(r, v, t);
	return expression(r, v, t);
}

const IrAttr *raise_constant(Raise *r, LLVMValueRef v)
{
	IrType *t = raise_memory_type(r, LLVMTypeOf(v));
	return t ? raise_scalar(r, v, t) : NULL;
}

const IrAttr *raise_label(Raise *r, LLVMBasicBlockRef block)
{
	const IrAttr *label = ptrmap_get(&r->labels, block);
	if (!label) {
		label = ir_attr_string(r->m, str_of(arena_printf(r->arena, "L%u", r->nlabels++)));
		ptrmap_put(r->arena, &r->labels, block, (void *)(uintptr_t)label);
	}
	return label;
}
