/* Symbols that DLLs hand on: the attribute `cir.dll` (docs/attributes.md), circ's own,
 * since CIR has no word for it. */
#include "lower/lowerer.h"

bool lower_imports(const IrOp *symbol)
{
	const IrAttr *a = ir_op_attr(symbol, NAME_dll);
	return a && a->kind == ATTR_STRING && str_equal(name_str(a->name), STR("import"));
}

/* NULL: nothing is wrong. */
static const char *refusal(const Lower *e, LLVMValueRef v, const IrOp *symbol, bool definition)
{
	LLVMLinkage linkage = LLVMGetLinkage(v);
	bool emitted = definition && linkage != LLVMAvailableExternallyLinkage;
	if (!e->coff)
		return "is only available on Windows";
	if (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage ||
	    linkage == LLVMExternalWeakLinkage || LLVMGetVisibility(v) != LLVMDefaultVisibility)
		return "requires external linkage and default visibility";
	if (ir_op_has(symbol, NAME_tls_model))
		return "cannot be used on a thread-local variable";
	if (lower_imports(symbol) && emitted)
		return "imports a symbol that is defined here";
	if (lower_imports(symbol) && ir_op_has(symbol, NAME_dso_local))
		return "imports a symbol that is 'dso_local'";
	return lower_imports(symbol) || emitted ? NULL : "exports a symbol that is only declared";
}

void lower_dll(Lower *e, LLVMValueRef v, const IrOp *symbol, bool definition)
{
	const IrAttr *a = ir_op_attr(symbol, NAME_dll);
	if (!a)
		return;
	bool exports = a->kind == ATTR_STRING && str_equal(name_str(a->name), STR("export"));
	const char *why =
	    e->whole ? NULL : refusal(e, v, symbol, definition); /* LLVM has checked its own IR */
	if (!exports && !lower_imports(symbol))
		lower_error(e, ": attribute 'cir.dll' must be \"import\" or \"export\"");
	else if (why)
		lower_error(e, ": attribute 'cir.dll' %s", why);
	else
		LLVMSetDLLStorageClass(v, exports ? LLVMDLLExportStorageClass : LLVMDLLImportStorageClass);
}
