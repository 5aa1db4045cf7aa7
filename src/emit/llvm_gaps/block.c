#include "emit/llvm_gaps/block.h"

#include <llvm-c/Core.h>

LLVMValueRef gap_first_non_phi(LLVMBasicBlockRef b)
{
	LLVMValueRef i = LLVMGetFirstInstruction(b);
	while (i && LLVMIsAPHINode(i))
		i = LLVMGetNextInstruction(i);
	return i;
}

static void move_to(LLVMBuilderRef end, LLVMValueRef instruction)
{
	LLVMInstructionRemoveFromParent(instruction);
	LLVMInsertIntoBuilder(end, instruction);
}

/* LLVM changes the phis of the successors, too, which go on to name `on`; it knows them by the terminator. */
static void replace_edges(LLVMBuilderRef builder, LLVMBasicBlockRef on, LLVMBasicBlockRef by)
{
	LLVMValueRef terminator = LLVMGetBasicBlockTerminator(on);
	LLVMInstructionRemoveFromParent(terminator);
	LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(on), LLVMBasicBlockAsValue(by));
	LLVMPositionBuilderAtEnd(builder, on);
	LLVMInsertIntoBuilder(builder, terminator);
}

LLVMBasicBlockRef gap_block_before(LLVMBuilderRef builder, LLVMBasicBlockRef on)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(on)));
	LLVMBasicBlockRef before = LLVMInsertBasicBlockInContext(context, on, "");
	replace_edges(builder, on, before);
	LLVMPositionBuilderAtEnd(builder, before);
	for (LLVMValueRef i; (i = LLVMGetFirstInstruction(on)) && LLVMIsAPHINode(i);)
		move_to(builder, i);
	return before;
}
