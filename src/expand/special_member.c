/* Special member functions: what their bodies leave out.
 *
 *	cir.func @operator=(%this, %from) special_member<#cir.cxx_assign<!union, move, trivial true>> { return %this }
 *
 * begins with cir.copy %from to %this, which leaves what may stand in the padding at its end alone. Where nothing says that
 * it is trivial, there is a warning. */
#include "expand/internal.h"

#include "ir/special_member.h"
#include "ir/spell.h"

#include <inttypes.h>

static void copy_union(IrModule *m, IrOp *func)
{
	IrBlock *entry = func->regions[0].first;
	IrValue *operands[] = {entry->args[1], entry->args[0]};
	IrBuilder b = ir_before(m, entry->first);
	b.loc = func->loc;
	ir_set_flag(m, ir_build(&b, OP_COPY, NULL, operands, 2), NAME_skip_tail_padding);
}

static void warn(const Expand *x, const IrOp *func)
{
	diag_warning(
	    x->d, func->loc,
	    "'%s' copies nothing, and may be the one of '%s' that the compiler makes, which copies all of "
	    "it; expected 'special_member', with 'trivial true' if it is that one",
	    ir_symbol_name(func)->text, ir_type_str(x->mem, ir_func_type(func)->members[0]->elem));
}

void expand_special_members(Expand *x)
{
	uint32_t untold = 0;
	IR_FOR_OPS (op, ir_module_block(x->m)) {
		if (op->kind == OP_FUNC && ir_lacks_union_copy(op))
			copy_union(x->m, op);
		else if (op->kind == OP_FUNC && ir_may_lack_union_copy(op) && untold++ < DIAG_LIMIT)
			warn(x, op);
	}
	if (untold > DIAG_LIMIT)
		diag_note(x->d, x->m->attrs_loc, "and %" PRIu32 " more functions", untold - DIAG_LIMIT);
}
