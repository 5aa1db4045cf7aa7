/* Constants of arrays and records.
 *
 * Most have the memory type of their CIR type. Some cannot: a union that begins with another member than the
 * one LLVM knows it by, a record whose last member is longer than declared, an array that is mostly zeros.
 * Those are packed structs that spell every byte out,
 *
 * 	%union.U { i8 } initialised by an i8, 8 bytes      <{ i8, [7 x i8] }>
 *
 * and so is all that contains one. lower_aggregate_type() tells the type before the constant can be made,
 * since variables are declared before their initialisers, which may name them. Both walk the same plan. */
#include "lower/lowerer.h"

#include "ir/layout.h"

/* What stands at an offset: an element, or zeros. */
typedef struct Part {
	const IrAttr *attr; /* NULL: zeros */
	LLVMTypeRef type;
	uint64_t offset;
} Part;

typedef struct AggregatePlan {
	IrType *t;
	LLVMTypeRef regular; /* its memory type */
	Part *parts;
	uint32_t n;
	bool is_regular;
	uint64_t end;  /* of the last part */
	uint64_t size; /* of the whole, at least that of the type */
} AggregatePlan;

static LLVMTypeRef zeros_type(Lower *e, uint64_t n)
{
	return LLVMArrayType2(e->i8, n);
}

static uint64_t type_size(const Lower *e, LLVMTypeRef type)
{
	return LLVMABISizeOfType(e->data, type);
}

static bool plan_part(Lower *e, AggregatePlan *p, const IrAttr *attr, uint64_t offset, LLVMTypeRef regular)
{
	LLVMTypeRef type = lower_constant_type(e, attr);
	if (!type)
		return false;
	if (offset < p->end) {
		lower_error(e, ": flexible array member with elements must be the last member");
		return false;
	}
	p->parts[p->n++] = (Part){attr, type, offset};
	p->is_regular = p->is_regular && type == regular;
	p->end = offset + type_size(e, type);
	if (p->end > p->size)
		p->size = p->end;
	return true;
}

/* More zeros at the end than it is worth to spell out. */
static bool has_long_tail(uint64_t n, uint64_t count)
{
	return count - n > 64 && count - n > n;
}

static bool plan_array(Lower *e, AggregatePlan *p, const IrAttr *a)
{
	LLVMTypeRef elem = lower_memory_type(e, p->t->elem);
	if (!elem)
		return false;
	uint64_t size = ir_type_size(p->t->elem);
	for (uint32_t i = 0; i < a->n; i++)
		if (!plan_part(e, p, a->elems[i], i * size, elem))
			return false;
	if (has_long_tail(a->n, p->t->count))
		p->is_regular = false;
	return true;
}

static bool plan_union(Lower *e, AggregatePlan *p, const IrAttr *a)
{
	uint32_t storage = ir_union_storage(p->t);
	LLVMTypeRef regular = storage == UINT32_MAX ? NULL : lower_memory_type(e, p->t->members[storage]);
	return plan_part(e, p, a->elems[0], 0, regular);
}

static bool plan_struct(Lower *e, AggregatePlan *p, const IrAttr *a)
{
	uint32_t at = 0;
	for (uint32_t i = 0; i < p->t->nmembers && at < a->n; i++) {
		IrType *member = p->t->members[i];
		if (ir_is_zero_width(member))
			continue;
		uint64_t offset = LLVMOffsetOfElement(e->data, p->regular, at);
		if (!plan_part(e, p, a->elems[at], offset, lower_memory_type(e, member)))
			return false;
		at++;
	}
	return true;
}

static bool plan_aggregate(Lower *e, AggregatePlan *p, const IrAttr *a)
{
	*p = (AggregatePlan){.t = a->type, .regular = lower_memory_type(e, a->type), .is_regular = true};
	if (!p->regular)
		return false;
	p->size = ir_type_size(p->t);
	p->parts = arena_array(e->scratch, Part, a->n + 1);
	if (p->t->kind == TYPE_ARRAY)
		return plan_array(e, p, a);
	return p->t->record_kind == RECORD_UNION ? plan_union(e, p, a) : plan_struct(e, p, a);
}

/* Parts and zeros so that every part stands at its offset. out: 2n + 1 at most. */
static uint32_t spell_out(Lower *e, const AggregatePlan *p, Part *out)
{
	uint32_t n = 0;
	uint64_t at = 0;
	for (uint32_t i = 0; i <= p->n; i++) {
		uint64_t next = i < p->n ? p->parts[i].offset : p->size;
		if (next > at)
			out[n++] = (Part){NULL, zeros_type(e, next - at), at};
		if (i == p->n)
			break;
		out[n++] = p->parts[i];
		at = next + type_size(e, p->parts[i].type);
	}
	return n;
}

static LLVMTypeRef irregular_type(Lower *e, const AggregatePlan *p)
{
	Part *parts = arena_array(e->scratch, Part, 2 * (size_t)p->n + 1);
	uint32_t n = spell_out(e, p, parts);
	LLVMTypeRef *types = arena_array(e->scratch, LLVMTypeRef, n + 1);
	for (uint32_t i = 0; i < n; i++)
		types[i] = parts[i].type;
	return LLVMStructTypeInContext(e->context, types, n, true);
}

static LLVMValueRef irregular_constant(Lower *e, const AggregatePlan *p)
{
	Part *parts = arena_array(e->scratch, Part, 2 * (size_t)p->n + 1);
	uint32_t n = spell_out(e, p, parts);
	LLVMValueRef *values = arena_array(e->scratch, LLVMValueRef, n + 1);
	for (uint32_t i = 0; i < n; i++) {
		values[i] =
		    parts[i].attr ? lower_memory_constant(e, parts[i].attr) : LLVMConstNull(parts[i].type);
		if (!values[i])
			return NULL;
	}
	return LLVMConstStructInContext(e->context, values, n, true);
}

/* Elements of the plan in order, then what is missing as zeros. */
static LLVMValueRef regular_constant(Lower *e, const AggregatePlan *p)
{
	bool array = p->t->kind == TYPE_ARRAY;
	uint64_t n = array ? p->t->count : LLVMCountStructElementTypes(p->regular);
	LLVMTypeRef elem = array ? LLVMGetElementType(p->regular) : NULL;
	LLVMValueRef *values = arena_array(e->scratch, LLVMValueRef, n + 1);
	for (uint32_t i = 0; i < n; i++) {
		LLVMTypeRef type = array ? elem : LLVMStructGetTypeAtIndex(p->regular, i);
		values[i] = i < p->n ? lower_memory_constant(e, p->parts[i].attr) : LLVMConstNull(type);
		if (!values[i])
			return NULL;
	}
	return array ? LLVMConstArray2(elem, values, n)
	             : LLVMConstNamedStruct(p->regular, values, (unsigned)n);
}

/* Strings: bytes, and zeros up to the array's length */

static bool is_text(const IrAttr *a)
{
	return a->kind == ATTR_CONST_ARRAY && a->name;
}

static LLVMTypeRef text_type(Lower *e, const IrAttr *a)
{
	uint64_t n = a->name->len, count = a->type->count;
	if (!has_long_tail(n, count))
		return lower_memory_type(e, a->type);
	LLVMTypeRef parts[2] = {zeros_type(e, n), zeros_type(e, count - n)};
	return LLVMStructTypeInContext(e->context, parts, 2, true);
}

static LLVMValueRef text_constant(Lower *e, const IrAttr *a)
{
	uint64_t n = a->name->len, count = a->type->count;
	if (!has_long_tail(n, count)) {
		char *bytes = arena_array(e->scratch, char, count + 1);
		memcpy(bytes, a->name->text, n);
		return LLVMConstStringInContext2(e->context, bytes, count, true);
	}
	LLVMValueRef parts[2] = {LLVMConstStringInContext2(e->context, a->name->text, n, true),
	                         LLVMConstNull(zeros_type(e, count - n))};
	return LLVMConstStructInContext(e->context, parts, 2, true);
}

LLVMValueRef lower_aggregate_constant(Lower *e, const IrAttr *a)
{
	if (!lower_memory_type(e, a->type))
		return NULL;
	ArenaMark mark = arena_mark(e->scratch);
	LLVMValueRef v = NULL;
	AggregatePlan p;
	if (is_text(a))
		v = text_constant(e, a);
	else if (plan_aggregate(e, &p, a))
		v = p.is_regular ? regular_constant(e, &p) : irregular_constant(e, &p);
	arena_release(e->scratch, mark);
	return v;
}

LLVMTypeRef lower_aggregate_type(Lower *e, const IrAttr *a)
{
	if (!lower_memory_type(e, a->type))
		return NULL;
	ArenaMark mark = arena_mark(e->scratch);
	LLVMTypeRef type = NULL;
	AggregatePlan p;
	if (is_text(a))
		type = text_type(e, a);
	else if (plan_aggregate(e, &p, a))
		type = p.is_regular ? p.regular : irregular_type(e, &p);
	arena_release(e->scratch, mark);
	return type;
}

/* What is written out byte by byte is bounded; zeros take no room in a file, but COFF
 * counts them with 32 bits. */
bool lower_check_initializer(Lower *e, LLVMValueRef init, IrType *t)
{
	bool zero = LLVMIsNull(init);
	if (ir_type_size(t) <= INT32_MAX || (zero && !e->coff))
		return true;
	lower_error(e, ": initializer of type '%s' is larger than %d bytes%s", lower_spell(e, t), INT32_MAX,
	            zero ? ", the limit of COFF" : ", but not zero");
	return false;
}

LLVMValueRef lower_constant_slot(Lower *e, LLVMValueRef constant, IrType *t)
{
	lower_check_initializer(e, constant, t);
	LLVMValueRef slot = LLVMAddGlobal(e->module, LLVMTypeOf(constant), ".const");
	LLVMSetInitializer(slot, constant);
	LLVMSetGlobalConstant(slot, true);
	LLVMSetLinkage(slot, LLVMPrivateLinkage);
	LLVMSetUnnamedAddress(slot, LLVMGlobalUnnamedAddr);
	LLVMSetAlignment(slot, ir_type_align(t));
	return slot;
}
