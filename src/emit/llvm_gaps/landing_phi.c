/* emit/llvm_gaps/landing_phi.c: from                       to
 *
 * 	invoke … unwind label %pad                              store i64 %a, ptr %slot
 * 	                                                        invoke … unwind label %pad
 * pad:                                                     pad:
 * 	%p = phi i64 [ %a, %x ], …                              %e = landingpad …
 * 	%e = landingpad …                                       %p = load i64, ptr %slot
 */
#include "emit/llvm_gaps/landing_phi.h"

#include "emit/llvm_gaps/block.h"

#include <llvm-c/Core.h>

static bool has_landing_pads(LLVMValueRef function)
{
	return LLVMHasPersonalityFn(function);
}

static LLVMValueRef build_slot(GapWork *work, LLVMTypeRef type)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(work->function);
	LLVMPositionBuilderBefore(work->builder, LLVMGetFirstInstruction(entry));
	return LLVMBuildAlloca(work->builder, type, "");
}

static void move_to_slot(GapWork *work, LLVMValueRef phi, LLVMValueRef pad)
{
	LLVMValueRef slot = build_slot(work, LLVMTypeOf(phi));
	for (unsigned i = 0, n = LLVMCountIncoming(phi); i < n; i++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i));
		LLVMPositionBuilderBefore(work->builder, last);
		LLVMBuildStore(work->builder, LLVMGetIncomingValue(phi, i), slot);
	}
	LLVMPositionBuilderBefore(work->builder, LLVMGetNextInstruction(pad));
	LLVMReplaceAllUsesWith(phi, LLVMBuildLoad2(work->builder, LLVMTypeOf(phi), slot, ""));
	LLVMInstructionEraseFromParent(phi);
}

static void change(GapWork *work)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(work->function); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef pad = gap_first_non_phi(b), i = LLVMGetFirstInstruction(b);
		while (LLVMIsALandingPadInst(pad) && i != pad) {
			LLVMValueRef phi = i;
			i = LLVMGetNextInstruction(i);
			move_to_slot(work, phi, pad);
		}
	}
}

bool landing_phi_prepare(LLVMModuleRef module, Diags *d)
{
	return gap_change_functions(module, has_landing_pads, change, d);
}
