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
		IrType *t = b->args[i]->type;
		LLVMTypeRef type = lower_check_value(e, t) ? lower_type(e, t) : NULL;
		if (!type)
			return false;
		e->values[b->args[i]->id] = LLVMBuildPhi(e->b, type, "");
	}
	return true;
}

/* Edges */

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
		LLVMValueRef v = lower_value(e, ir_succ_arg(s, i));
		LLVMAddIncoming(lower_value(e, s->dest->args[i]), &v, &from, 1);
	}
}

/* A block behind the current one that only goes on to s->dest. */
static LLVMBasicBlockRef edge_block(Lower *e, const IrSucc *s)
{
	LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
	LLVMBasicBlockRef between = append_block(e, e->function);
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

/* Labels */

static const IrBlock *find_label(Lower *e, const IrOp *func, const IrAttr *label)
{
	PtrMap *map = ptrmap_get(&e->labels, func);
	if (!map) {
		map = arena_new(e->arena, PtrMap);
		ptrmap_put(e->arena, &e->labels, func, map);
		IR_FOR_BLOCKS (b, &func->regions[0])
			if (b->first->kind == OP_LABEL)
				ptrmap_put(e->arena, map, ir_op_attr(b->first, NAME_label)->name, b);
	}
	return ptrmap_get(map, label->name);
}

LLVMBasicBlockRef lower_label_block(Lower *e, const Name *name, const IrAttr *label)
{
	const IrOp *func = ir_symbol(name);
	const IrBlock *b = find_label(e, func, label);
	LLVMValueRef function = lower_symbol(e, name);
	if (!b || !function)
		return NULL;
	if (!e->blocks[b->id]) {
		e->blocks[b->id] = append_block(e, function);
		vec_push(e->arena, &e->label_blocks, e->blocks[b->id]);
	}
	return e->blocks[b->id];
}

/* What nothing branches to got no ops, and LLVM would drop the block and have 1 for its
 * address, which a difference of labels cannot be made of. Nothing can jump there: the
 * address of the function serves as well. */
void lower_finish_labels(Lower *e)
{
	for (uint32_t i = 0; i < e->label_blocks.len; i++) {
		LLVMBasicBlockRef block = e->label_blocks.data[i];
		if (LLVMGetBasicBlockTerminator(block))
			continue;
		LLVMValueRef function = LLVMGetBasicBlockParent(block);
		LLVMReplaceAllUsesWith(LLVMBlockAddress(function, block), function);
		LLVMDeleteBasicBlock(block);
	}
}

/* The body */

static bool lower_block(Lower *e, const IrBlock *b)
{
	uint32_t errors = e->d->errors;
	LLVMPositionBuilderAtEnd(e->b, e->blocks[b->id]);
	e->pad = e->pads[b->id];
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
	e->unwinds = false;
	number_blocks(e, func->regions[0].first, &order);
	make_blocks(e, func);
	set_parameters(e, func->regions[0].first);
	debug_function(e, function, func);
	bool ok = true;
	for (uint32_t i = 0; i < order.len && ok; i++)
		ok = make_phis(e, order.data[i]);
	for (uint32_t i = order.len; i-- > 0 && ok;)
		ok = lower_block(e, order.data[i]);
	debug_function(e, NULL, NULL);
	lower_mark_nounwind(e, func);
	e->func = NULL;
	e->function = NULL;
	e->pad = NULL;
}
