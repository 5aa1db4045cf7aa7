/* lower/body.c: the blocks of a function.
 *
 * Blocks are lowered in reverse postorder, so every value is there before it is used; blocks that cannot
 * be reached are left out. The arguments of a block become phis, made before any block is filled, and
 * fed by each edge when its terminator is lowered. A block with one edge into it needs none: its
 * arguments are the values of the edge.
 *
 *   cost  blocks + edges + ops; an explicit stack
 */
#include "lower/debug.h"

/* Order */

typedef VEC(const IrBlock *) BlockList;

typedef struct Visit {
	const IrBlock *block;
	uint32_t next; /* successor to go to */
} Visit;

/* Reachable blocks in postorder; counts the edges into each. */
static void number_blocks(Lower *e, const IrBlock *entry, BlockList *order)
{
	VEC(Visit) stack = {0};
	vec_push(e->scratch, &stack, ((Visit){entry, 0}));
	while (stack.len) {
		Visit *v = &stack.data[stack.len - 1];
		if (v->next == v->block->last->nsuccs) {
			vec_push(e->scratch, order, v->block);
			stack.len--;
			continue;
		}
		const IrBlock *dest = v->block->last->succs[v->next++].dest;
		if (e->npreds[dest->id]++ == 0)
			vec_push(e->scratch, &stack, ((Visit){dest, 0}));
	}
}

/* Blocks and their phis */

static LLVMBasicBlockRef append_block(const Lower *e, LLVMValueRef function)
{
	return LLVMAppendBasicBlockInContext(e->context, function, "");
}

/* LLVM has no addresses of entry blocks: where one has a label, another goes in front of it. */
static LLVMBasicBlockRef entry_before(Lower *e, const IrBlock *labeled)
{
	LLVMBasicBlockRef *block = &e->blocks[labeled->id];
	if (labeled->first->kind != OP_LABEL)
		return NULL;
	if (!*block)
		*block = append_block(e, e->function);
	LLVMBasicBlockRef entry =
	    LLVMInsertBasicBlockInContext(e->context, LLVMGetFirstBasicBlock(e->function), "");
	LLVMPositionBuilderAtEnd(e->b, entry);
	LLVMBuildBr(e->b, *block);
	return entry;
}

/* In the order of the text. A block whose label's address was asked for is there already. */
static void make_blocks(Lower *e, const IrOp *func)
{
	const IrBlock *entry = func->regions[0].first;
	LLVMBasicBlockRef last = entry_before(e, entry);
	IR_FOR_BLOCKS (b, &func->regions[0]) {
		LLVMBasicBlockRef have = e->blocks[b->id];
		if (have)
			LLVMMoveBasicBlockAfter(have, last);
		else if (b == entry || e->npreds[b->id])
			have = e->blocks[b->id] = append_block(e, e->function);
		last = have ? have : last;
	}
}

static bool make_phis(Lower *e, const IrBlock *b)
{
	if (!b->nargs || e->npreds[b->id] < 2)
		return true;
	LLVMPositionBuilderAtEnd(e->b, e->blocks[b->id]);
	for (uint32_t i = 0; i < b->nargs; i++) {
		if (lower_pad_slot(e, b->args[i]))
			continue;
		IrType *t = b->args[i]->type;
		LLVMTypeRef type = lower_check_value(e, t) ? lower_type(e, t) : NULL;
		if (!type)
			return false;
		e->values[b->args[i]->id] = LLVMBuildPhi(e->b, type, "");
	}
	return true;
}

/* The body */

static bool lower_block(Lower *e, const IrBlock *b)
{
	uint32_t errors = e->d->errors;
	LLVMPositionBuilderAtEnd(e->b, e->blocks[b->id]);
	e->pad = e->pads[b->id];
	if (b == e->func->regions[0].first)
		lower_may_fault_entry(e, e->func);
	IR_FOR_OPS (op, b) {
		debug_op(e, op);
		lower_op(e, op);
		if (e->d->errors != errors)
			return false;
	}
	return true;
}

static void set_parameters(Lower *e, const IrBlock *entry)
{
	for (uint32_t i = 0; i < entry->nargs; i++)
		e->values[entry->args[i]->id] = LLVMGetParam(e->function, i);
}

void lower_body(Lower *e, LLVMValueRef function, const IrOp *func)
{
	BlockList order = {0};
	e->func = func;
	e->function = function;
	lower_nounwind_begin(e, func);
	number_blocks(e, func->regions[0].first, &order);
	make_blocks(e, func);
	set_parameters(e, func->regions[0].first);
	lower_make_pad_slots(e, func);
	debug_function(e, function, func);
	bool ok = true;
	for (uint32_t i = 0; i < order.len && ok; i++)
		ok = make_phis(e, order.data[i]);
	for (uint32_t i = order.len; i-- > 0 && ok;)
		ok = lower_block(e, order.data[i]);
	if (ok)
		debug_moved(e);
	debug_function(e, NULL, NULL);
	lower_nounwind_end(e);
	e->func = NULL;
	e->function = NULL;
	e->pad = NULL;
	e->pad_slots = (PtrMap){0};
	e->cleanup_catches = (PtrMap){0}; /* other blocks may lie where these did */
}
