/* emit/llvm_gaps/filter_parent.c: to the front of a function all of whose pads may be dropped,
 *
 * 	br i1 %never, label %keep, label %entry      ; a variable that is false
 * keep:
 * 	invoke void @llvm.donothing() to label %entry unwind label %pad
 * pad:
 * 	%p = cleanuppad within none []
 * 	cleanupret from %p unwind to caller
 */
#include "emit/llvm_gaps/filter_parent.h"

#include "emit/llvm_gaps/block.h"

#include <string.h>

#include <llvm-c/Core.h>

static bool has_filters(LLVMValueRef function)
{
	LLVMValueRef recover = LLVMGetNamedFunction(LLVMGetGlobalParent(function), "llvm.eh.recoverfp");
	for (LLVMUseRef use = recover ? LLVMGetFirstUse(recover) : NULL; use; use = LLVMGetNextUse(use))
		if (LLVMGetOperand(LLVMGetUser(use), 0) == function)
			return true;
	return false;
}

/* ---- is a pad reached? No, where in doubt ---- */

static bool may_not_return(LLVMValueRef call)
{
	unsigned noreturn = LLVMGetEnumAttributeKindForName("noreturn", strlen("noreturn"));
	LLVMValueRef callee = LLVMGetCalledValue(call);
	if (LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, noreturn))
		return true;
	if (!LLVMIsAFunction(callee))
		return LLVMIsConstant(callee);
	return LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, noreturn) != NULL;
}

static bool may_end(LLVMValueRef i)
{
	if (LLVMIsACallInst(i))
		return may_not_return(i);
	LLVMValueRef to = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
	return to && (LLVMIsAConstantPointerNull(to) || LLVMIsUndef(to));
}

static void go_on(GapWork *work, GapWalk *walk, LLVMBasicBlockRef b)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != last; i = LLVMGetNextInstruction(i))
		if (may_end(i))
			return;
	bool is_branch = LLVMIsABranchInst(last) != NULL;
	LLVMValueRef at =
	    is_branch && LLVMIsConditional(last) ? LLVMIsAConstantInt(LLVMGetCondition(last)) : NULL;
	if (at)
		gap_walk_to(work, walk, LLVMGetSuccessor(last, LLVMConstIntGetZExtValue(at) ? 0 : 1));
	for (unsigned i = 0, n = at ? 0 : LLVMGetNumSuccessors(last); i < n; i++)
		gap_walk_to(work, walk, LLVMGetSuccessor(last, i));
}

static bool reaches_pad(GapWork *work)
{
	GapWalk walk = {0};
	gap_walk_to(work, &walk, LLVMGetEntryBasicBlock(work->function));
	while (walk.left.len) {
		LLVMBasicBlockRef b = vec_pop(&walk.left);
		LLVMValueRef first = gap_first_non_phi(b);
		if (LLVMIsACatchSwitchInst(first) || LLVMIsACleanupPadInst(first))
			return true;
		go_on(work, &walk, b);
	}
	return false;
}

/* ---- one more ---- */

static LLVMBasicBlockRef build_pad(GapWork *work, LLVMContextRef context)
{
	LLVMBasicBlockRef b = LLVMAppendBasicBlockInContext(context, work->function, "");
	LLVMPositionBuilderAtEnd(work->builder, b);
	LLVMBuildCleanupRet(work->builder, LLVMBuildCleanupPad(work->builder, NULL, NULL, 0, ""), NULL);
	return b;
}

static LLVMBasicBlockRef build_keep(GapWork *work, LLVMContextRef context, LLVMBasicBlockRef entry)
{
	static const char name[] = "llvm.donothing";
	LLVMBasicBlockRef pad = build_pad(work, context);
	LLVMBasicBlockRef b = LLVMAppendBasicBlockInContext(context, work->function, "");
	LLVMValueRef nothing = LLVMGetIntrinsicDeclaration(
	    LLVMGetGlobalParent(work->function), LLVMLookupIntrinsicID(name, sizeof name - 1), NULL, 0);
	LLVMPositionBuilderAtEnd(work->builder, b);
	LLVMBuildInvoke2(work->builder, LLVMGlobalGetValueType(nothing), nothing, NULL, 0, entry, pad, "");
	return b;
}

/* What must be in the first block: variables, and the list of those that filters see. */
static bool stays_in_front(LLVMValueRef i)
{
	size_t len;
	LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
	if (callee)
		return strcmp(LLVMGetValueName2(callee, &len), "llvm.localescape") == 0;
	return LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0));
}

static void change(GapWork *work)
{
	if (reaches_pad(work))
		return;
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(work->function));
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(work->function);
	LLVMBasicBlockRef keep = build_keep(work, context, entry);
	LLVMBasicBlockRef front = LLVMInsertBasicBlockInContext(context, entry, "");
	LLVMPositionBuilderAtEnd(work->builder, front);
	for (LLVMValueRef i = LLVMGetFirstInstruction(entry), next; i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (!stays_in_front(i))
			continue;
		LLVMInstructionRemoveFromParent(i);
		LLVMInsertIntoBuilder(work->builder, i);
	}
	LLVMValueRef never = LLVMConstInt(LLVMInt1TypeInContext(context), 0, false);
	LLVMValueRef branch = LLVMBuildCondBr(work->builder, never, keep, entry);
	LLVMSetCondition(branch, gap_build_bool(work, branch, false));
}

bool filter_parent_prepare(LLVMModuleRef module, Diags *d)
{
	return gap_change_functions(module, has_filters, change, d);
}
