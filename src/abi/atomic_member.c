#include "abi/atomic_member.h"

/* What is accessed; NULL: op is not atomic. */
static const IrValue *accessed_by(const IrOp *op)
{
	switch (op->kind) {
	case OP_LOAD:
	case OP_STORE:
		return ir_op_has(op, NAME_mem_order) ? ir_operand(op, op->kind == OP_STORE) : NULL;
	case OP_ATOMIC_FETCH:
	case OP_ATOMIC_XCHG:
	case OP_ATOMIC_CMPXCHG:
	case OP_ATOMIC_TEST_AND_SET:
	case OP_ATOMIC_CLEAR:
		return ir_operand(op, 0);
	default:
		return NULL;
	}
}

/* The record that address points to a member of, or into one that is an array; NULL: none. */
static const IrType *record_of(const IrValue *address)
{
	enum {
		STEPS = 32
	}; /* two for each dimension; unreachable code has values that are made of themselves */
	for (unsigned i = 0; i < STEPS && !address->is_arg; i++) {
		const IrOp *op = address->def.op;
		if (op->kind == OP_GET_MEMBER)
			return ir_operand(op, 0)->type->elem;
		if (op->kind != OP_CAST && op->kind != OP_PTR_STRIDE && op->kind != OP_GET_ELEMENT)
			return NULL;
		address = ir_operand(op, 0);
	}
	return NULL;
}

void abi_find_atomic_members(const AbiTypes *types, PtrMap *found)
{
	const IrRegion *all = &types->m->body;
	if (!ir_attr_has_enum(types->m, ENUM_MEM_ORDER))
		return;
	for (IrOp *op = ir_walk_first(all); op; op = ir_walk_next(op, all)) {
		const IrValue *address = accessed_by(op);
		const IrType *record = address ? record_of(address) : NULL;
		if (record && !abi_record_trait(types, record, NAME_atomic) && !ptrmap_get(found, record))
			ptrmap_put(types->mem, found, record, op);
	}
}
