/* Exceptions in the Microsoft form (cir-reference 5.13): one to one. A pad belongs to the blocks
 * between it and where it is left; e->pad is the one of the current block, which calls name
 * (op_call.c) and edges pass on (body.c). */
#include "lower/lowerer.h"

/* The pad around, or NULL. */
static LLVMValueRef parent_of(Lower *e, const IrOp *op)
{
	return ir_op_nmain(op) ? lower_operand(e, op, 0) : NULL;
}

void lower_catchswitch(Lower *e, const IrOp *op)
{
	bool to_caller = ir_op_has(op, NAME_unwind_to_caller);
	uint32_t nhandlers = op->nsuccs - !to_caller;
	LLVMBasicBlockRef unwind = to_caller ? NULL : lower_edge(e, &op->succs[nhandlers]);
	LLVMValueRef v = LLVMBuildCatchSwitch(e->b, parent_of(e, op), unwind, nhandlers, "");
	for (uint32_t i = 0; i < nhandlers; i++)
		LLVMAddHandler(v, lower_edge(e, &op->succs[i]));
	lower_result(e, op, v);
}

/* Of structured exceptions: a function that the system asks. */
static bool lower_filter(Lower *e, const IrOp *op)
{
	const Name *filter = ir_op_symbol(op, NAME_filter);
	LLVMValueRef function = filter ? lower_symbol(e, filter) : NULL;
	if (!function)
		return false;
	e->pad = LLVMBuildCatchPad(e->b, lower_operand(e, op, 0), &function, 1, "");
	lower_result(e, op, e->pad);
	return true;
}

/* Type descriptor, adjectives, where the runtime copies the exception to. */
void lower_catchpad(Lower *e, const IrOp *op)
{
	if (lower_filter(e, op))
		return;
	const Name *type = ir_op_symbol(op, NAME_type_descriptor);
	LLVMValueRef null = LLVMConstNull(e->ptr);
	LLVMValueRef args[3] = {
	    type ? lower_symbol(e, type) : null,
	    LLVMConstInt(e->i32, (uint32_t)ir_op_uint(op, NAME_adjectives, 0), false),
	    ir_op_nmain(op) > 1 ? lower_operand(e, op, 1) : null,
	};
	if (!args[0])
		return;
	e->pad = LLVMBuildCatchPad(e->b, lower_operand(e, op, 0), args, 3, "");
	lower_result(e, op, e->pad);
}

void lower_cleanuppad(Lower *e, const IrOp *op)
{
	e->pad = LLVMBuildCleanupPad(e->b, parent_of(e, op), NULL, 0, "");
	lower_result(e, op, e->pad);
}

/* With the flag `eh-asynch` LLVM gives what follows a handler of __C_specific_handler the pads around its try as a range of its own, which comes before
 * those of the calls in it (calculateSEHStateForAsynchEH): the outer ones would be asked first. */
static bool is_in_order(Lower *e, const IrOp *catchswitch)
{
	const Name *personality = ir_op_symbol(e->func, NAME_personality);
	if (catchswitch->nsuccs < 2 || !personality ||
	    strcmp(personality->text, "__C_specific_handler") != 0 || !lower_sees_structured_exceptions(e))
		return true;
	lower_error(e, "ends a handler within another try or cleanup, in a function of circ's runtime; LLVM "
	               "writes wrong tables for that in a module with 'cir.ms.eh = \"a\"'; move the function "
	               "to a module without it");
	return false;
}

/* Goes on where the try began: inside the pad around its catchswitch. */
void lower_catchret(Lower *e, const IrOp *op)
{
	const IrOp *catchpad = ir_operand(op, 0)->def.op;
	const IrOp *catchswitch = ir_operand(catchpad, 0)->def.op;
	if (!is_in_order(e, catchswitch))
		return;
	LLVMValueRef pad = e->pad;
	e->pad = parent_of(e, catchswitch);
	LLVMBasicBlockRef dest = lower_edge(e, &op->succs[0]);
	e->pad = pad;
	LLVMBuildCatchRet(e->b, lower_operand(e, op, 0), dest);
}

void lower_cleanupret(Lower *e, const IrOp *op)
{
	LLVMBasicBlockRef dest = op->nsuccs ? lower_edge(e, &op->succs[0]) : NULL;
	LLVMBuildCleanupRet(e->b, lower_operand(e, op, 0), dest);
}
