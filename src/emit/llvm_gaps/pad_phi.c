/* emit/llvm_gaps/pad_phi.c: for each value that a pad's phi takes,
 *
 * catch:                                                   catch:
 * 	%p = phi i32 [ %a, %x ], [ %b, %y ]                     %p = phi i32 [ %a, %x ], [ %b, %y ]
 * 	%s = catchswitch … [label %handler] …                   %s = catchswitch … [label %handler] …
 * handler:                                          to     handler:
 * 	%h = catchpad within %s …                               %h = catchpad within %s …
 * 	                                                        %f = freeze i32 %p
 * 	invoke … unwind label %outer                            invoke … unwind label %outer
 * outer:                                                   outer:
 * 	%q = phi i32 [ %p, %handler ], …                        %q = phi i32 [ %f, %handler ], …
 *
 * Where the edge comes out of another catchswitch, whose block has no room for a freeze, that block gets a
 * phi of its own, and its edges are looked at in turn.
 */
#include "emit/llvm_gaps/pad_phi.h"

#include "emit/llvm_gaps/block.h"

#include <stdbool.h>
#include <stddef.h>

static bool is_catchswitch_block(LLVMBasicBlockRef b)
{
	return LLVMIsACatchSwitchInst(gap_first_non_phi(b)) != NULL;
}

static bool is_pad(LLVMBasicBlockRef b)
{
	LLVMValueRef i = gap_first_non_phi(b);
	return LLVMIsACatchSwitchInst(i) || LLVMIsACleanupPadInst(i);
}

static bool is_phi_of_catchswitch(LLVMValueRef v)
{
	return LLVMIsAPHINode(v) && is_catchswitch_block(LLVMGetInstructionParent(v));
}

static LLVMBuilderRef builder_before(LLVMValueRef instruction)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(instruction)));
	LLVMPositionBuilderBefore(b, instruction);
	return b;
}

static LLVMValueRef freeze_at_end(LLVMBasicBlockRef block, LLVMValueRef v)
{
	LLVMBuilderRef b = builder_before(LLVMGetBasicBlockTerminator(block));
	LLVMValueRef frozen = LLVMBuildFreeze(b, v, "");
	LLVMDisposeBuilder(b);
	return frozen;
}

/* v dominates the block, and so is there on all its edges. */
static LLVMValueRef phi_at_start(LLVMBasicBlockRef block, LLVMValueRef v)
{
	LLVMBuilderRef b = builder_before(LLVMGetFirstInstruction(block));
	LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(v), "");
	LLVMDisposeBuilder(b);
	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef from = LLVMGetUser(u);
		if (!LLVMIsATerminatorInst(from))
			continue;
		LLVMBasicBlockRef pred = LLVMGetInstructionParent(from);
		LLVMAddIncoming(phi, &v, &pred, 1);
	}
	return phi;
}

/* Makes the values of a phi on a pad harmless. True: another pad got a phi for it. */
static bool break_phi(LLVMValueRef phi)
{
	bool added = false;
	for (unsigned i = 0, n = LLVMCountIncoming(phi); i < n; i++) {
		LLVMValueRef v = LLVMGetIncomingValue(phi, i);
		LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
		if (!is_phi_of_catchswitch(v))
			continue;
		if (!is_catchswitch_block(from)) {
			LLVMSetOperand(phi, i, freeze_at_end(from, v));
		} else if (LLVMGetInstructionParent(v) != from) {
			LLVMSetOperand(phi, i, phi_at_start(from, v));
			added = true;
		}
	}
	return added;
}

static bool break_in_block(LLVMBasicBlockRef b)
{
	bool added = false;
	LLVMValueRef i = LLVMGetFirstInstruction(b);
	if (!LLVMIsAPHINode(i) || !is_pad(b))
		return false;
	for (; LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
		added |= break_phi(i);
	return added;
}

static bool break_in_function(LLVMValueRef function)
{
	bool added = false;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		added |= break_in_block(b);
	return added;
}

void emit_break_pad_phis(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		while (LLVMHasPersonalityFn(f) && break_in_function(f))
			;
}
