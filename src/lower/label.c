/* lower/label.c: addresses of labels, which may be asked for before the block is lowered. */
#include "lower/lowerer.h"

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

LLVMBasicBlockRef lower_label_block(Lower *e, const Name *name, LLVMValueRef function, const IrAttr *label)
{
	const IrOp *func = ir_symbol(name);
	const IrBlock *b = find_label(e, func, label);
	if (!b)
		return NULL;
	if (!e->blocks[b->id]) {
		e->blocks[b->id] = LLVMAppendBasicBlockInContext(e->context, function, "");
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
