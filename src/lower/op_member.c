/* Pointers to members (cir-reference 5.6), in the form of the Itanium C++ ABI 2.3:
 *
 * 	data member      ptrdiff_t, the offset; null is -1
 * 	member function  { ptr, adj }: ptr is the function's address, or, for a virtual one, one more than its offset in the virtual
 * 	                 table; adj is added to the object's address. Null is a ptr of 0.
 * 	                 On AArch64 adj is doubled, and its lowest bit says that ptr is the offset itself; of a null pointer, it is 0.
 */
#include "lower/lowerer.h"

static LLVMValueRef part(Lower *e, LLVMValueRef method, unsigned i)
{
	return LLVMBuildExtractValue(e->b, method, i, "");
}

static LLVMValueRef step(Lower *e, LLVMValueRef p, LLVMValueRef bytes)
{
	return LLVMBuildGEP2(e->b, e->i8, p, &bytes, 1, "");
}

void lower_get_runtime_member(Lower *e, const IrOp *op)
{
	lower_result(e, op, step(e, lower_operand(e, op, 0), lower_operand(e, op, 1)));
}

/* A block of the function behind the current one. */
static LLVMBasicBlockRef block_after(Lower *e, LLVMBasicBlockRef where)
{
	LLVMBasicBlockRef b = LLVMAppendBasicBlockInContext(e->context, e->function, "");
	LLVMMoveBasicBlockAfter(b, where);
	return b;
}

/*	  br i1 (ptr & 1), %virtual, %plain
 * virtual:
 *	  table = load this;  f1 = load (table + ptr - 1)
 * plain:
 *	  f2 = inttoptr ptr
 * next:
 *	  f = phi [f1, virtual], [f2, plain]
 */
static LLVMValueRef find_function(Lower *e, LLVMValueRef method, LLVMValueRef object)
{
	bool in_adj = e->target->machine->virtual_in_adj;
	LLVMValueRef ptr = part(e, method, 0), offset = ptr, functions[2];
	LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b), blocks[2];
	blocks[0] = block_after(e, from);
	blocks[1] = block_after(e, blocks[0]);
	LLVMBasicBlockRef next = block_after(e, blocks[1]);
	LLVMValueRef is_virtual = LLVMBuildTrunc(e->b, in_adj ? part(e, method, 1) : ptr, e->i1, "");
	LLVMBuildCondBr(e->b, is_virtual, blocks[0], blocks[1]);

	LLVMPositionBuilderAtEnd(e->b, blocks[0]);
	LLVMValueRef table = LLVMBuildLoad2(e->b, e->ptr, object, "");
	if (!in_adj)
		offset = LLVMBuildSub(e->b, ptr, lower_int(e->word, 1), "");
	LLVMValueRef slot = step(e, table, offset);
	functions[0] = LLVMBuildLoad2(e->b, e->ptr, slot, "");
	LLVMBuildBr(e->b, next);

	LLVMPositionBuilderAtEnd(e->b, blocks[1]);
	functions[1] = LLVMBuildIntToPtr(e->b, ptr, e->ptr, "");
	LLVMBuildBr(e->b, next);

	LLVMPositionBuilderAtEnd(e->b, next);
	LLVMValueRef f = LLVMBuildPhi(e->b, e->ptr, "");
	LLVMAddIncoming(f, functions, blocks, 2);
	return f;
}

void lower_get_method(Lower *e, const IrOp *op)
{
	LLVMValueRef method = lower_operand(e, op, 0);
	LLVMValueRef adj = part(e, method, 1);
	if (e->target->machine->virtual_in_adj)
		adj = LLVMBuildAShr(e->b, adj, lower_int(e->word, 1), "");
	LLVMValueRef object = step(e, lower_operand(e, op, 1), adj);
	e->values[op->results[0].id] = find_function(e, method, object);
	e->values[op->results[1].id] = object;
}

/* Towards the base class the offset is subtracted: it is counted from the start of the base. */
static LLVMValueRef move(Lower *e, const IrOp *op, LLVMValueRef v)
{
	bool to_base = op->kind == OP_BASE_DATA_MEMBER || op->kind == OP_BASE_METHOD;
	bool method = op->kind == OP_BASE_METHOD || op->kind == OP_DERIVED_METHOD;
	unsigned doubled = method && e->target->machine->virtual_in_adj;
	LLVMValueRef offset = lower_int(e->word, ir_op_uint(op, NAME_offset, 0) << doubled);
	return to_base ? LLVMBuildSub(e->b, v, offset, "") : LLVMBuildAdd(e->b, v, offset, "");
}

void lower_data_member_cast(Lower *e, const IrOp *op)
{
	LLVMValueRef v = lower_operand(e, op, 0), null = LLVMConstAllOnes(e->word);
	if (ir_op_uint(op, NAME_offset, 0)) {
		LLVMValueRef is_null = LLVMBuildICmp(e->b, LLVMIntEQ, v, null, "");
		v = LLVMBuildSelect(e->b, is_null, null, move(e, op, v), "");
	}
	lower_result(e, op, v);
}

/* That of a null pointer says nothing. */
void lower_method_cast(Lower *e, const IrOp *op)
{
	LLVMValueRef v = lower_operand(e, op, 0);
	if (ir_op_uint(op, NAME_offset, 0))
		v = LLVMBuildInsertValue(e->b, v, move(e, op, part(e, v, 1)), 1, "");
	lower_result(e, op, v);
}

/* A ptr of 0 that is no offset, whichever adj says so. */
static LLVMValueRef is_null(Lower *e, LLVMValueRef ptr, LLVMValueRef adj)
{
	LLVMValueRef null = LLVMBuildICmp(e->b, LLVMIntEQ, ptr, lower_int(e->word, 0), "");
	if (!e->target->machine->virtual_in_adj)
		return null;
	LLVMValueRef plain = LLVMBuildNot(e->b, LLVMBuildTrunc(e->b, adj, e->i1, ""), "");
	return LLVMBuildAnd(e->b, null, plain, "");
}

LLVMValueRef lower_is_null_method(Lower *e, LLVMValueRef method)
{
	return is_null(e, part(e, method, 0), part(e, method, 1));
}

/* Equal functions, and equal adjustments unless both are null. */
LLVMValueRef lower_compare_methods(Lower *e, LLVMValueRef a, LLVMValueRef b, bool equal)
{
	LLVMValueRef ptr = part(e, a, 0);
	LLVMValueRef same_ptr = LLVMBuildICmp(e->b, LLVMIntEQ, ptr, part(e, b, 0), "");
	LLVMValueRef adj_a = part(e, a, 1), adj_b = part(e, b, 1);
	LLVMValueRef same_adj = LLVMBuildICmp(e->b, LLVMIntEQ, adj_a, adj_b, "");
	bool in_adj = e->target->machine->virtual_in_adj; /* else x86_64's code has no use for it */
	LLVMValueRef null = is_null(e, ptr, in_adj ? LLVMBuildOr(e->b, adj_a, adj_b, "") : adj_a);
	LLVMValueRef same = LLVMBuildAnd(e->b, same_ptr, LLVMBuildOr(e->b, null, same_adj, ""), "");
	return equal ? same : LLVMBuildNot(e->b, same, "");
}
