/* Thunks that do not return what they have called for (ir_unreturned_result): clang printed
 *
 *	%r = cir.call @method(%adjusted); cir.store %r, %__retval; cir.trap
 *
 * for a record, with cir.unreachable where it optimised. The variable is what the thunk returns: a record that is
 * returned in memory is made there by the method, and knows its own address. */
#include "expand/internal.h"

#include "ir/thunk.h"

static void return_result(IrModule *m, IrOp *store)
{
	IrOp *end = store->next;
	IrBuilder b = ir_before(m, end);
	IrValue *result = ir_build_load(&b, ir_operand(store, 1));
	ir_build(&b, OP_RETURN, NULL, &result, 1);
	ir_op_erase(end);
}

void expand_thunks(IrModule *m)
{
	IR_FOR_OPS (op, ir_module_block(m)) {
		IrOp *store = op->kind == OP_FUNC ? ir_unreturned_result(op) : NULL;
		if (store)
			return_result(m, store);
	}
}
