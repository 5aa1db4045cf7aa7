/* emit/llvm_gaps/wasm_invoke_phi.c: from
 *
 * from:
 * 	%v = add i32 %i, -4
 * 	invoke void @f() to label %loop unwind label %pad
 * loop:
 * 	%i = phi i32 [ %v, %from ], …
 * pad:
 * 	…                                             uses %v
 *
 * to
 *
 * 	invoke void @f() to label %between unwind label %pad
 * between:
 * 	call void asm sideeffect "", ""()             else LLVM drops the block
 * 	br label %loop
 * loop:
 * 	%i = phi i32 [ %v, %between ], …
 *
 * LLVM moves within a block, and takes a block's end for what comes before all its successors, where a call in its middle unwinds.
 */
#include "emit/llvm_gaps/wasm_invoke_phi.h"

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/Core.h>

static bool takes_own(LLVMValueRef phi, LLVMValueRef invoke)
{
	LLVMBasicBlockRef from = LLVMGetInstructionParent(invoke);
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMValueRef v = LLVMGetIncomingValue(phi, i);
		if (LLVMGetIncomingBlock(phi, i) == from && LLVMIsAInstruction(v) && v != invoke &&
		    LLVMGetInstructionParent(v) == from)
			return true;
	}
	return false;
}

static bool needs_split(LLVMValueRef invoke)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetNormalDest(invoke)); LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i))
		if (takes_own(i, invoke))
			return true;
	return false;
}

static LLVMBasicBlockRef build_between(LLVMValueRef invoke, LLVMBasicBlockRef to, LLVMBuilderRef b)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(invoke));
	LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(context, to, "");
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
	LLVMPositionBuilderAtEnd(b, between);
	LLVMValueRef nothing =
	    LLVMGetInlineAsm(type, "", 0, "", 0, true, false, LLVMInlineAsmDialectATT, false);
	LLVMBuildCall2(b, type, nothing, NULL, 0, "");
	LLVMBuildBr(b, to);
	return between;
}

/* The C interface cannot change where an edge of a phi comes from. */
static void move_edge(LLVMValueRef phi, LLVMBasicBlockRef from, LLVMBasicBlockRef between, LLVMBuilderRef b)
{
	LLVMPositionBuilderBefore(b, phi);
	LLVMValueRef copy = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMValueRef v = LLVMGetIncomingValue(phi, i);
		LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
		block = block == from ? between : block;
		v = v == phi ? copy : v;
		LLVMAddIncoming(copy, &v, &block, 1);
	}
	LLVMReplaceAllUsesWith(phi, copy);
	LLVMInstructionEraseFromParent(phi);
}

static void split(LLVMValueRef invoke)
{
	LLVMBasicBlockRef from = LLVMGetInstructionParent(invoke), to = LLVMGetNormalDest(invoke);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(invoke)));
	LLVMBasicBlockRef between = build_between(invoke, to, b);
	LLVMValueRef next;
	for (LLVMValueRef i = LLVMGetFirstInstruction(to); LLVMIsAPHINode(i); i = next) {
		next = LLVMGetNextInstruction(i);
		move_edge(i, from, between, b);
	}
	LLVMSetNormalDest(invoke, between);
	LLVMDisposeBuilder(b);
}

void wasm_split_invoke_phis(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
			LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
			if (last && LLVMIsAInvokeInst(last) && needs_split(last))
				split(last);
		}
}
