/* Edges, and what they bring to the phis of the blocks that they go to. */
#include "raise/raiser.h"

IrBlock *raise_block(Raise *r, LLVMBasicBlockRef b)
{
	RaiseBlock *block = ptrmap_get(&r->blocks, b);
	CHECK(block);
	return block->block;
}

IrSuccSpec raise_edge(Raise *r, LLVMBasicBlockRef to)
{
	RaiseBlock *from = ptrmap_get(&r->blocks, LLVMGetInstructionParent(r->instruction));
	IrBlock *dest = raise_block(r, to);
	IrSuccSpec s = {.dest = dest};
	RaiseBlock *target = ptrmap_get(&r->blocks, to);
	if (!dest->nargs)
		return s;
	if (target->edge_of == r->instruction) /* another edge of it brings the same */
		return target->edge;
	IrValue **args = raise_array(&r->body, sizeof *args, dest->nargs);
	for (uint32_t i = 0; i < from->inputs.len && s.nargs < dest->nargs; i++)
		if (from->inputs.data[i].to == to) {
			args[s.nargs] =
			    raise_use_as(r, from->inputs.data[i].value, dest->args[s.nargs]->type);
			if (!args[s.nargs])
				break;
			s.nargs++;
		}
	if (s.nargs != dest->nargs)
		raise_error(r, "branches to a block with a phi that has no value for it");
	s.args = args;
	target->edge_of = r->instruction;
	target->edge = s;
	return s;
}
