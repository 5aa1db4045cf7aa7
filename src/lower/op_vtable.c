/* Virtual tables (cir-reference 5.6). A vptr points at the address point of its table: slots
 * as large as addresses in both directions. */
#include "lower/lowerer.h"

#include "ir/layout.h"

static LLVMValueRef slot_address(Lower *e, LLVMValueRef p, int64_t slot)
{
	LLVMValueRef index = LLVMConstInt(e->word, (uint64_t)slot, true);
	return slot ? LLVMBuildInBoundsGEP2(e->b, e->ptr, p, &index, 1, "") : p;
}

void lower_vtable_address_point(Lower *e, const IrOp *op)
{
	const Name *table = ir_op_symbol(op, NAME_name);
	const IrAttr *point = ir_op_attr(op, NAME_address_point);
	uint64_t index = 0, offset = 0;
	CHECK(ir_attr_get_u64(point->elems[ADDRESS_POINT_INDEX], &index));
	CHECK(ir_attr_get_u64(point->elems[ADDRESS_POINT_OFFSET], &offset));
	IrType *record = ir_symbol_type(ir_symbol(table));
	LLVMValueRef v = lower_address(
	    e, table, ir_record_offset(record, (uint32_t)index) + offset * ir_module_address_size(e->m));
	if (v)
		lower_result(e, op, v);
}

/* The vptr is the first thing in a dynamic class. */
void lower_same_address(Lower *e, const IrOp *op)
{
	lower_result(e, op, lower_operand(e, op, 0));
}

void lower_vtable_slot(Lower *e, const IrOp *op)
{
	bool function = op->kind == OP_VTABLE_GET_VIRTUAL_FN_ADDR;
	/* the type-info pointer is below */
	int64_t slot = function ? (int64_t)ir_op_uint(op, NAME_index, 0) : -1;
	lower_result(e, op, slot_address(e, lower_operand(e, op, 0), slot));
}

void lower_vtt_address_point(Lower *e, const IrOp *op)
{
	const Name *table = ir_op_symbol(op, NAME_name);
	LLVMValueRef base = table ? lower_symbol(e, table) : lower_operand(e, op, 0);
	if (base)
		lower_result(e, op, slot_address(e, base, (int64_t)ir_op_uint(op, NAME_offset, 0)));
}
