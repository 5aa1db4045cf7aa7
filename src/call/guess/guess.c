#include "call/guess/guess.h"

void abi_guess(AbiGuesses *g, const IrModule *m, Arena *mem)
{
	*g = (AbiGuesses){0};
	if (!abi_may_guess(m))
		return;
	abi_guess_by_function(g, m, mem);
	abi_guess_units(g, m, mem);
}

bool abi_guess_lowered(const IrModule *m, bool (*is_lowered)(const void *user, const IrOp *func),
                       const void *user)
{
	if (!abi_may_guess(m))
		return false;
	IR_FOR_OPS (op, ir_module_block(m))
		if (op->kind == OP_FUNC && is_lowered(user, op))
			return true;
	return false;
}
