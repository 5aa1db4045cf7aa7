/* abi/entry.h: where a function begins, for what must run first in it. */
#ifndef CIRC_ABI_ENTRY_H
#define CIRC_ABI_ENTRY_H

#include "ir/module.h"

/* The first op of the body behind the label of its block, if it has one: that stays the first. */
static inline IrOp *abi_entry_front(const IrOp *func)
{
	IrOp *first = func->regions[0].first->first;
	return first->kind == OP_LABEL ? first->next : first;
}

#endif
