/* Control flow inside a function (cir-reference 5.7, 5.8). */
#include "lower/lowerer.h"

void lower_br(Lower *e, const IrOp *op)
{
	LLVMBuildBr(e->b, lower_edge(e, &op->succs[0]));
}

void lower_brcond(Lower *e, const IrOp *op)
{
	LLVMValueRef c = lower_operand(e, op, 0);
	LLVMBasicBlockRef yes = lower_edge(e, &op->succs[0]), no = lower_edge(e, &op->succs[1]);
	lower_null_check(e, op, LLVMBuildCondBr(e->b, c, yes, no));
}

void lower_switch_flat(Lower *e, const IrOp *op)
{
	const IrAttr *values = ir_op_attr(op, NAME_case_values);
	LLVMBasicBlockRef otherwise = lower_edge(e, &op->succs[0]);
	LLVMValueRef v = LLVMBuildSwitch(e->b, lower_operand(e, op, 0), otherwise, op->nsuccs - 1);
	for (uint32_t i = 1; i < op->nsuccs; i++) {
		LLVMValueRef value = lower_constant(e, values->elems[i - 1]);
		LLVMBasicBlockRef dest = lower_edge(e, &op->succs[i]);
		if (value)
			LLVMAddCase(v, value, dest);
	}
}

/* An edge block would not be what the label's address means: edges to one block pass the same arguments, as
 * the verifier has seen, and are one edge. */
void lower_indirect_br(Lower *e, const IrOp *op)
{
	LLVMValueRef address = ir_op_has(op, NAME_poison) ? LLVMGetPoison(e->ptr) : lower_operand(e, op, 0);
	LLVMValueRef v = LLVMBuildIndirectBr(e->b, address, op->nsuccs);
	LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
	for (uint32_t i = 0; i < op->nsuccs; i++) {
		const IrSucc *s = &op->succs[i];
		if (e->edges[s->dest->id] && e->edges[s->dest->id]->op == op)
			continue;
		LLVMAddDestination(v, lower_edge(e, s));
		e->edges[s->dest->id] = s;
	}
	CHECK(LLVMGetInsertBlock(e->b) == here);
}

void lower_return(Lower *e, const IrOp *op)
{
	if (op->noperands)
		LLVMBuildRet(e->b, lower_operand(e, op, 0));
	else
		LLVMBuildRetVoid(e->b);
}

void lower_unreachable(Lower *e, const IrOp *op)
{
	(void)op;
	LLVMBuildUnreachable(e->b);
}

void lower_trap(Lower *e, const IrOp *op)
{
	(void)op;
	lower_intrinsic(e, INTRINSIC_TRAP, NULL, 0, NULL, 0);
	LLVMBuildUnreachable(e->b);
}

/* Names a block (body.c). */
void lower_block_address(Lower *e, const IrOp *op)
{
	LLVMValueRef v = lower_constant(e, ir_op_attr(op, NAME_block_addr_info));
	if (v)
		lower_result(e, op, v);
}

void lower_label(Lower *e, const IrOp *op)
{
	(void)e;
	(void)op;
}
