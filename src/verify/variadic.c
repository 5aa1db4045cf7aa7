/* Lists of variadic arguments (cir-reference 5.16). */
#include "verify/verifier.h"

/* How a list looks is the target's business: the pointer only must be to something of a known size. */
void verify_va_list(Verifier *v, const IrOp *op)
{
	uint32_t n = ir_op_nmain(op);
	for (uint32_t i = 0; i < n; i++)
		if (!verifier_check_storage(v, op, ir_operand(op, i)->type->elem, "the list's type,"))
			return;
	if (op->nresults)
		verifier_check_storage(v, op, op->results[0].type, "result");
}

void verify_va_start(Verifier *v, const IrOp *op)
{
	const IrType *func = v->symbol->kind == OP_FUNC ? ir_func_type(v->symbol) : NULL;
	if (func && func->kind == TYPE_FUNC && func->variadic)
		verify_va_list(v, op);
	else
		verifier_error(v, op, "must be in a variadic function");
}
