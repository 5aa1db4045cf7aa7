/* Special member functions: what their bodies leave out.
 *
 *	cir.func @operator=(%this, %from) special_member<#cir.cxx_assign<!union, move, trivial true>> { return %this }
 *
 * begins with cir.copy %from to %this, which leaves what may stand in the padding at its end alone. */
#include "expand/internal.h"

#include "ir/special_member.h"

static void copy_union(IrModule *m, IrOp *func)
{
	IrBlock *entry = func->regions[0].first;
	IrValue *operands[] = {entry->args[1], entry->args[0]};
	IrBuilder b = ir_before(m, entry->first);
	b.loc = func->loc;
	ir_set_flag(m, ir_build(&b, OP_COPY, NULL, operands, 2), NAME_skip_tail_padding);
}

void expand_special_members(IrModule *m)
{
	IR_FOR_OPS (op, ir_module_block(m))
		if (op->kind == OP_FUNC && ir_lacks_union_copy(op))
			copy_union(m, op);
}
