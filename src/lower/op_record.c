/* Records and their members (cir-reference 5.6). */
#include "lower/lowerer.h"

#include "ir/layout.h"

static LLVMValueRef step_bytes(Lower *e, LLVMValueRef p, int64_t bytes, bool in_bounds)
{
	LLVMValueRef index = LLVMConstInt(e->word, (uint64_t)bytes, true);
	return in_bounds ? LLVMBuildInBoundsGEP2(e->b, e->i8, p, &index, 1, "")
	                 : LLVMBuildGEP2(e->b, e->i8, p, &index, 1, "");
}

/* The first member, and each of a union, is where the record is. */
void lower_get_member(Lower *e, const IrOp *op)
{
	IrType *record = ir_operand(op, 0)->type->elem;
	LLVMTypeRef type = lower_memory_type(e, record);
	LLVMValueRef v = lower_operand(e, op, 0);
	uint32_t field = ir_record_field(record, (uint32_t)ir_op_uint(op, NAME_index, 0));
	if (!type)
		return;
	if (field && record->record_kind != RECORD_UNION)
		v = LLVMBuildStructGEP2(e->b, type, v, field, "");
	lower_result(e, op, v);
}

static IrType *member_type(const IrType *record, uint32_t member)
{
	IrType *t = record->members[member];
	return t->kind == TYPE_BITFIELD ? t->elem : t;
}

void lower_extract_member(Lower *e, const IrOp *op)
{
	const IrType *record = ir_operand(op, 0)->type;
	uint32_t member = (uint32_t)ir_op_uint(op, NAME_index, 0);
	LLVMValueRef v = lower_operand(e, op, 0);
	v = LLVMBuildExtractValue(e->b, v, ir_record_field(record, member), "");
	lower_result(e, op, lower_from_memory(e, v, member_type(record, member)));
}

void lower_insert_member(Lower *e, const IrOp *op)
{
	const IrType *record = ir_operand(op, 0)->type;
	uint32_t member = (uint32_t)ir_op_uint(op, NAME_index, 0);
	LLVMValueRef v = lower_to_memory(e, lower_operand(e, op, 1), member_type(record, member));
	lower_result(
	    e, op,
	    LLVMBuildInsertValue(e->b, lower_operand(e, op, 0), v, ir_record_field(record, member), ""));
}

/* To a base class the offset is added, to a derived one subtracted. A null pointer stays null. */
void lower_class_addr(Lower *e, const IrOp *op)
{
	int64_t offset = (int64_t)ir_op_uint(op, NAME_offset, 0);
	LLVMValueRef p = lower_operand(e, op, 0);
	bool nonnull = ir_op_has(op, NAME_nonnull);
	if (offset) {
		LLVMValueRef moved =
		    step_bytes(e, p, op->kind == OP_BASE_CLASS_ADDR ? offset : -offset, nonnull);
		if (!nonnull) {
			LLVMValueRef null = LLVMConstNull(LLVMTypeOf(p));
			LLVMValueRef is_null = LLVMBuildICmp(e->b, LLVMIntEQ, p, null, "");
			moved = LLVMBuildSelect(e->b, is_null, null, moved, "");
		}
		p = moved;
	}
	lower_result(e, op, p);
}

/* Bit-fields */

typedef struct Bitfield {
	LLVMTypeRef type; /* of the storage, as it is loaded */
	unsigned width;   /* of that type */
	unsigned size, offset;
	bool is_signed;
	bool is_volatile;
	uint64_t align;
	LLVMValueRef address;
} Bitfield;

static unsigned number(const IrAttr *info, unsigned param)
{
	uint64_t n = 0;
	CHECK(ir_attr_get_u64(info->elems[param], &n));
	return (unsigned)n;
}

static bool describe(Lower *e, const IrOp *op, Bitfield *f)
{
	const IrAttr *info = ir_op_attr(op, NAME_bitfield_info);
	IrType *storage = info->elems[BITFIELD_INFO_STORAGE_TYPE]->type;
	f->type = ir_is_int(storage) ? lower_access_type(e, storage)
	                             : lower_int_type(e, (uint32_t)ir_type_size(storage) * 8);
	if (!f->type)
		return false;
	f->width = LLVMGetIntTypeWidth(f->type);
	f->size = number(info, BITFIELD_INFO_SIZE);
	f->offset = number(info, BITFIELD_INFO_OFFSET);
	f->is_signed = info->elems[BITFIELD_INFO_IS_SIGNED]->bits & 1;
	f->is_volatile = ir_op_has(op, NAME_is_volatile);
	f->align = ir_op_uint(op, NAME_alignment, ir_type_align(storage));
	f->address = lower_operand(e, op, 0);
	return true;
}

static LLVMValueRef access_storage(Lower *e, const Bitfield *f, LLVMValueRef stored)
{
	LLVMValueRef v =
	    stored ? LLVMBuildStore(e->b, stored, f->address) : LLVMBuildLoad2(e->b, f->type, f->address, "");
	lower_alignment(e, v, f->align);
	LLVMSetVolatile(v, f->is_volatile);
	return v;
}

static LLVMValueRef shift(Lower *e, LLVMOpcode code, LLVMValueRef v, unsigned by)
{
	return by ? LLVMBuildBinOp(e->b, code, v, LLVMConstInt(LLVMTypeOf(v), by, false), "") : v;
}

/* `size` ones at `offset`. */
static LLVMValueRef mask(Lower *e, const Bitfield *f, unsigned offset)
{
	unsigned n = (f->width + 63) / 64;
	ArenaMark mark = arena_mark(e->scratch);
	uint64_t *words = arena_array(e->scratch, uint64_t, n);
	for (unsigned i = offset; i < offset + f->size; i++)
		words[i / 64] |= UINT64_C(1) << i % 64;
	LLVMValueRef v = LLVMConstIntOfArbitraryPrecision(f->type, n, words);
	arena_release(e->scratch, mark);
	return v;
}

/* The field, which begins at bit `offset` of v, as a value. */
static LLVMValueRef read_field(Lower *e, const Bitfield *f, LLVMValueRef v, unsigned offset, const IrType *t)
{
	if (f->is_signed) {
		v = shift(e, LLVMShl, v, f->width - f->size - offset);
		v = shift(e, LLVMAShr, v, f->width - f->size);
	} else {
		v = shift(e, LLVMLShr, v, offset);
		if (offset + f->size < f->width)
			v = LLVMBuildAnd(e->b, v, mask(e, f, 0), "");
	}
	if (t->kind == TYPE_BOOL)
		return LLVMBuildICmp(e->b, LLVMIntNE, v, LLVMConstNull(f->type), "");
	return lower_resize(e, v, f->is_signed, lower_int_type(e, t->width));
}

void lower_get_bitfield(Lower *e, const IrOp *op)
{
	Bitfield f;
	if (!describe(e, op, &f))
		return;
	LLVMValueRef v = access_storage(e, &f, NULL);
	lower_result(e, op, read_field(e, &f, v, f.offset, op->results[0].type));
}

void lower_set_bitfield(Lower *e, const IrOp *op)
{
	Bitfield f;
	if (!describe(e, op, &f))
		return;
	const IrType *t = ir_operand(op, 1)->type;
	LLVMValueRef v = lower_resize(e, lower_operand(e, op, 1), t->is_signed, f.type);
	if (f.size < f.width)
		v = LLVMBuildAnd(e->b, v, mask(e, &f, 0), "");
	LLVMValueRef bits = shift(e, LLVMShl, v, f.offset);
	if (f.size < f.width) {
		LLVMValueRef old = access_storage(e, &f, NULL);
		old = LLVMBuildAnd(e->b, old, LLVMConstNot(mask(e, &f, f.offset)), "");
		bits = LLVMBuildOr(e->b, old, bits, "");
	}
	access_storage(e, &f, bits);
	if (op->results[0].uses)
		v = read_field(e, &f, v, 0, op->results[0].type);
	lower_result(e, op, v);
}
