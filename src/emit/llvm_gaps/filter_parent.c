#include "emit/llvm_gaps/filter_parent.h"

#include "emit/llvm_gaps/block.h"

#include <llvm-c/Core.h>

static bool has_filters(LLVMValueRef function)
{
	LLVMValueRef recover = LLVMGetNamedFunction(LLVMGetGlobalParent(function), "llvm.eh.recoverfp");
	for (LLVMUseRef use = recover ? LLVMGetFirstUse(recover) : NULL; use; use = LLVMGetNextUse(use))
		if (LLVMGetOperand(LLVMGetUser(use), 0) == function)
			return true;
	return false;
}

static void change(GapWork *work)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(work->function); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
		LLVMValueRef at = LLVMIsABranchInst(last) && LLVMIsConditional(last)
		                      ? LLVMIsAConstantInt(LLVMGetCondition(last))
		                      : NULL;
		if (at)
			LLVMSetCondition(last, gap_build_bool(work, last, LLVMConstIntGetZExtValue(at)));
	}
}

bool filter_parent_prepare(LLVMModuleRef module, Diags *d)
{
	return gap_change_functions(module, has_filters, change, d);
}
