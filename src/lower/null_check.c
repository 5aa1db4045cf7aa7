/* lower/null_check.c: `circ.faults = "implicit"`: null checks that LLVM folds into the access behind them, and zero checks that emit/zero_checks.c folds
 * into the division (docs/checks.md).
 *
 * A branch with !make.implicit is one that LLVM's ImplicitNullChecks may take away: the access faults where the pointer is null, and the
 * object has a map of such accesses and where each goes on. The module hands the maps of its program or library to libcircrt:
 *
 * 	@llvm.global_ctors = { … circ.fault_maps.begin }      circ_fault_maps_register(__start_llvm_faultmaps, __stop_llvm_faultmaps)
 * 	@llvm.global_dtors = { … circ.fault_maps.end }        circ_fault_maps_unregister(__start_llvm_faultmaps)
 *
 * What stands between those is the linker's: emit/fault_maps.c gives the section a name for that.
 */
#include "ir/eh_runtime.h"
#include "lower/lowerer.h"

static bool has_check(const Lower *e)
{
	for (const IrOp *op = ir_walk_first(&e->m->body); op; op = ir_walk_next(op, &e->m->body))
		if (op->kind == OP_BRCOND &&
		    (ir_op_has(op, NAME_circ_null_check) || ir_op_has(op, NAME_circ_zero_check)))
			return true;
	return false;
}

/* COFF has no such maps: LLVM folds for it all the same, and writes none. What faults finds its handler by tables. */
static const char *why_explicit(const Lower *e)
{
	if (e->coff)
		return "objects for Windows have no map of what faults";
	return ir_module_is_sjlj(e->m) ? "a fault is no exception without tables" : NULL;
}

void lower_null_checks_begin(Lower *e)
{
	const IrAttr *faults = ir_module_attr(e->m, NAME_circ_faults);
	bool wanted = faults && faults->kind == ATTR_STRING && str_is(name_str(faults->name), "implicit");
	if (!wanted || !e->options->optimized || !has_check(e))
		return;
	const char *why = why_explicit(e);
	e->folds_null_checks = !why && !e->target->machine->faults_end_program;
	if (why && e->options->part == 0)
		diag_remark(e->d, e->m->attrs_loc, "null checks and zero checks stay explicit: %s", why);
}

void lower_null_check(Lower *e, const IrOp *op, LLVMValueRef branch)
{
	bool null = ir_op_has(op, NAME_circ_null_check), zero = ir_op_has(op, NAME_circ_zero_check);
	if (!e->folds_null_checks || (!null && !zero) || (zero && !e->target->machine->division_faults))
		return;
	const char *name = null ? "make.implicit" : "circ.zero_check";
	unsigned kind = LLVMGetMDKindIDInContext(e->context, name, (unsigned)strlen(name));
	LLVMMetadataRef none = LLVMMDNodeInContext2(e->context, NULL, 0);
	LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(e->context, none));
}

/* Weak: there is no such section where nothing was folded. */
static LLVMValueRef bound(Lower *e, const char *name)
{
	LLVMValueRef v = LLVMGetNamedGlobal(e->module, name);
	if (v)
		return v;
	v = LLVMAddGlobal(e->module, e->i8, name);
	LLVMSetLinkage(v, LLVMExternalWeakLinkage);
	if (!e->options->in_process)
		LLVMSetVisibility(v, LLVMHiddenVisibility);
	return v;
}

static LLVMValueRef define(Lower *e, const char *name, const char *callee, unsigned nargs)
{
	LLVMTypeRef nothing = LLVMVoidTypeInContext(e->context), params[] = {e->ptr, e->ptr};
	LLVMTypeRef type = LLVMFunctionType(nothing, params, nargs, false);
	LLVMValueRef args[] = {bound(e, "__start_llvm_faultmaps"), bound(e, "__stop_llvm_faultmaps")};
	LLVMValueRef target = LLVMGetNamedFunction(e->module, callee);
	if (!target)
		target = LLVMAddFunction(e->module, callee, type);
	LLVMValueRef f = LLVMAddFunction(e->module, name, LLVMFunctionType(nothing, NULL, 0, false));
	LLVMSetLinkage(f, LLVMInternalLinkage);
	LLVMPositionBuilderAtEnd(e->b, LLVMAppendBasicBlockInContext(e->context, f, ""));
	LLVMBuildCall2(e->b, type, target, args, nargs, "");
	LLVMBuildRetVoid(e->b);
	return f;
}

LLVMValueRef lower_fault_maps(Lower *e, bool begin)
{
	if (!e->folds_null_checks)
		return NULL;
	return begin ? define(e, "circ.fault_maps.begin", "circ_fault_maps_register", 2)
	             : define(e, "circ.fault_maps.end", "circ_fault_maps_unregister", 1);
}
