/* Control flow. */
#include "raise/raiser.h"

static IrOp *terminator(Raise *r, OpKind kind, IrValue *operand, const IrSuccSpec *succs, uint32_t n)
{
	IrOpSpec spec = {
	    .kind = kind, .operands = &operand, .noperands = operand != NULL, .succs = succs, .nsuccs = n};
	return r->failed ? NULL : ir_build_spec(&r->b, &spec);
}

void raise_ret(Raise *r, LLVMValueRef v)
{
	IrValue *x = LLVMGetNumOperands(v) ? raise_use_in_memory(r, LLVMGetOperand(v, 0)) : NULL;
	terminator(r, OP_RETURN, x, NULL, 0);
}

void raise_br(Raise *r, LLVMValueRef v)
{
	IrSuccSpec edges[2] = {raise_edge(r, LLVMGetSuccessor(v, 0))};
	if (!LLVMIsConditional(v)) {
		terminator(r, OP_BR, NULL, edges, 1);
		return;
	}
	edges[1] = raise_edge(r, LLVMGetSuccessor(v, 1));
	IrValue *condition = raise_use(r, LLVMGetCondition(v));
	if (condition)
		terminator(r, OP_BRCOND, condition, edges, 2);
}

/* Of successor i, from 1. Before LLVM 22 the values were operands. */
static LLVMValueRef case_value(LLVMValueRef v, unsigned i)
{
#if defined(CIRC_HAVE_SWITCH_CASE_VALUES)
	return LLVMGetSwitchCaseValue(v, i);
#else
	return LLVMGetOperand(v, 2 * i);
#endif
}

void raise_switch(Raise *r, LLVMValueRef v)
{
	unsigned n = LLVMGetNumSuccessors(v);
	IrSuccSpec *edges = raise_array(&r->body, sizeof *edges, n);
	const IrAttr **values = raise_array(&r->body, sizeof *values, n);
	IrValue *x = raise_use_in_memory(r, LLVMGetOperand(v, 0));
	for (unsigned i = 0; i < n && x && !r->failed; i++) {
		edges[i] = raise_edge(r, LLVMGetSuccessor(v, i));
		if (i)
			values[i - 1] = raise_scalar(r, case_value(v, i), x->type);
	}
	IrOp *op = x ? terminator(r, OP_SWITCH_FLAT, x, edges, n) : NULL;
	if (op)
		ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_case_values),
		               ir_attr_array(r->m, values, n - 1));
}

void raise_indirect_br(Raise *r, LLVMValueRef v)
{
	unsigned n = LLVMGetNumSuccessors(v);
	IrSuccSpec *edges = raise_array(&r->body, sizeof *edges, n);
	IrValue *address = raise_use(r, LLVMGetOperand(v, 0));
	for (unsigned i = 0; i < n && address && !r->failed; i++)
		edges[i] = raise_edge(r, LLVMGetSuccessor(v, i));
	if (address)
		terminator(r, OP_INDIRECT_BR, address, edges, n);
}

void raise_unreachable(Raise *r, LLVMValueRef v)
{
	(void)v;
	terminator(r, OP_UNREACHABLE, NULL, NULL, 0);
}
