#include "emit/llvm_gaps/recovered_address.h"

#include "emit/llvm_gaps/block.h"

#include <llvm-c/Core.h>

static bool is_address_of(LLVMValueRef user, LLVMValueRef v)
{
	return (LLVMIsALoadInst(user) && LLVMGetOperand(user, 0) == v) ||
	       (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == v && LLVMGetOperand(user, 0) != v);
}

static bool only_accesses(LLVMValueRef v)
{
	for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
		if (!is_address_of(LLVMGetUser(use), v))
			return false;
	return true;
}

static void take_through(LLVMBuilderRef b, LLVMValueRef recovered)
{
	LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(recovered));
	LLVMValueRef through = gap_take_through(b, recovered);
	LLVMReplaceAllUsesWith(recovered, through);
	LLVMSetOperand(through, 0, recovered);
}

static void prepare_results(LLVMModuleRef module, const char *intrinsic, LLVMBuilderRef b)
{
	LLVMValueRef recover = LLVMGetNamedFunction(module, intrinsic);
	LLVMUseRef use = recover ? LLVMGetFirstUse(recover) : NULL;
	for (; use; use = LLVMGetNextUse(use))
		if (!only_accesses(LLVMGetUser(use)))
			take_through(b, LLVMGetUser(use));
}

void recovered_address_prepare(LLVMModuleRef module)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	prepare_results(module, "llvm.localrecover", b);
	prepare_results(module, "llvm.eh.recoverfp", b);
	LLVMDisposeBuilder(b);
}
