#include "eh/available.h"

#include "ir/eh_runtime.h"

const IrOp *eh_first_to_lower(const IrRegion *body, Stage form)
{
	for (const IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		if (!(op_info[op->kind].stages & form))
			return op;
	return NULL;
}

bool eh_check_library(const AbiTarget *target, const IrOp *op, Diags *d)
{
	if (target->circ_personality)
		return true;
	diag_error(d, op->loc,
	           "'%s' op: exceptions of circ's own runtime are not available on target '%s', because "
	           "there is no libcircrt for it",
	           op_info[op->kind].name, target->name);
	return false;
}

bool eh_check_model(const IrModule *m, const AbiTarget *target, const IrOp *op, Diags *d)
{
	if (!target || !ir_module_is_sjlj(m))
		return true;
	Str triple = ir_module_triple(m);
	if (target->shape == SHAPE_WASM_CATCHES) {
		diag_error(
		    d, op->loc,
		    "target '%.*s' has no setjmp ('circ.eh.model = \"sjlj\"'), and its exceptions need "
		    "no tables of unwinding",
		    (int)triple.len, triple.data);
		return false;
	}
	if (target->circ_personality)
		return true;
	diag_error(d, op->loc,
	           "exceptions without tables are not available on target '%s', because there is no "
	           "libcircrt for it",
	           target->name);
	return false;
}

bool eh_check_available(const IrModule *m, const AbiTarget *target, Diags *d)
{
	bool funclets = target->runtime == RUNTIME_MICROSOFT && !ir_module_is_sjlj(m);
	Stage form = funclets ? STAGE_MICROSOFT : STAGE_ITANIUM;
	const IrOp *first = eh_first_to_lower(&m->body, form);
	if (!first)
		return true;
	if (!eh_check_model(m, target, first, d))
		return false;
	IR_FOR_OPS (func, ir_module_block(m)) {
		bool is_circ = func->kind == OP_FUNC && ir_func_eh_runtime(m, func) == EH_RUNTIME_CIRC;
		const IrOp *op = is_circ ? eh_first_to_lower(&func->regions[0], form) : NULL;
		if (op && !eh_check_library(target, op, d))
			return false;
	}
	return true;
}
