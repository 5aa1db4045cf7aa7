/* lower/edge.c: where a terminator branches to. It feeds the phis of the block that an edge goes to; two edges of one op to
 * one block with different arguments need a block of their own in between. */
#include "lower/lowerer.h"

static bool same_args(const IrSucc *a, const IrSucc *b)
{
	for (uint32_t i = 0; i < a->nargs; i++)
		if (ir_succ_arg(a, i) != ir_succ_arg(b, i))
			return false;
	return true;
}

static void feed_phis(const Lower *e, const IrSucc *s, LLVMBasicBlockRef from)
{
	for (uint32_t i = 0; i < s->nargs; i++) {
		if (lower_pad_slot(e, s->dest->args[i]))
			continue;
		LLVMValueRef v = lower_value(e, ir_succ_arg(s, i));
		LLVMAddIncoming(lower_value(e, s->dest->args[i]), &v, &from, 1);
	}
}

/* A block behind the current one that only goes on to s->dest. */
static LLVMBasicBlockRef edge_block(Lower *e, const IrSucc *s)
{
	LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
	LLVMBasicBlockRef between = LLVMAppendBasicBlockInContext(e->context, e->function, "");
	LLVMMoveBasicBlockAfter(between, from);
	LLVMPositionBuilderAtEnd(e->b, between);
	LLVMBuildBr(e->b, e->blocks[s->dest->id]);
	LLVMPositionBuilderAtEnd(e->b, from);
	feed_phis(e, s, between);
	return between;
}

LLVMBasicBlockRef lower_edge(Lower *e, const IrSucc *s)
{
	const IrBlock *dest = s->dest;
	e->pads[dest->id] = e->pad;
	if (!dest->nargs)
		return e->blocks[dest->id];
	if (e->npreds[dest->id] == 1) {
		for (uint32_t i = 0; i < s->nargs; i++)
			if (!lower_pad_slot(e, dest->args[i]))
				e->values[dest->args[i]->id] = lower_value(e, ir_succ_arg(s, i));
		return e->blocks[dest->id];
	}
	const IrSucc *first = e->edges[dest->id];
	if (!first || first->op != s->op)
		e->edges[dest->id] = s;
	else if (!same_args(first, s))
		return edge_block(e, s);
	feed_phis(e, s, LLVMGetInsertBlock(e->b));
	return e->blocks[dest->id];
}

LLVMBasicBlockRef lower_split_edge(Lower *e, const IrSucc *s)
{
	if (e->npreds[s->dest->id] == 1)
		return lower_edge(e, s);
	e->pads[s->dest->id] = e->pad;
	return edge_block(e, s);
}
