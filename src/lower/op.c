#include "lower/lowerer.h"

static LowerFn *const lower_row[OP_COUNT] = {
#define OP(id, name, stages, flags, regions, succs, operands, results, verify, lower, format)                \
	[OP_##id] = lower_##lower,
#include "ir/ops.def"
};

/* The pads of the Microsoft form and terminators have no value that could be too large;
 * constants stay in memory when they are. */
static bool check_results(Lower *e, const IrOp *op)
{
	for (uint32_t i = 0; i < op->nresults; i++)
		if (op->kind != OP_CONST && !lower_check_value(e, op->results[i].type))
			return false;
	return true;
}

void lower_op(Lower *e, const IrOp *op)
{
	e->op = op;
	if (!check_results(e, op))
		return;
	if (!op->nattrs || !ir_op_has(op, NAME_fenv) || !lower_constrained(e, op))
		lower_row[op->kind](e, op);
}

void lower_none(Lower *e, const IrOp *op)
{
	(void)op;
	lower_error(e, "does not exist any more when LLVM IR is built");
}
