/* ir/function_entry.h: where a function begins, for what must run first in it. */
#ifndef CIRC_IR_FUNCTION_ENTRY_H
#define CIRC_IR_FUNCTION_ENTRY_H

#include "ir/module.h"

/* The first op of the body behind the label of its block, if it has one: that stays the first. */
static inline IrOp *abi_entry_front(const IrOp *func)
{
	IrOp *first = func->regions[0].first->first;
	return first->kind == OP_LABEL ? first->next : first;
}

/* The op that lists the variables that filters of the function see, or NULL. */
static inline IrOp *abi_entry_escape(const IrOp *func)
{
	const IrBlock *entry = func->regions[0].first;
	IrOp *op = entry ? entry->first : NULL;
	while (op && op->kind != OP_LOCALESCAPE)
		op = op->next;
	return op;
}

/* For a pass that is about to end the block at op: variables behind it stay in front. Those of the entry
 * block have a fixed place in the frame there only. */
static inline void abi_entry_keep_variables(IrOp *op)
{
	for (IrOp *at = op->next, *next; at; at = next) {
		next = at->next;
		if (at->kind != OP_ALLOCA || at->noperands)
			continue;
		ir_op_remove(at);
		ir_op_insert_before(op, at);
	}
}

#endif
