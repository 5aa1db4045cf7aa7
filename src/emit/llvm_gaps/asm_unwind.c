#include "emit/llvm_gaps/asm_unwind.h"

#include "base/base.h"
#include "emit/llvm_gaps/block.h"

#include <string.h>

#include <llvm-c/Core.h>

static bool is_for_pad(LLVMValueRef last)
{
	return last && LLVMIsAInvokeInst(last) && LLVMIsAInlineAsm(LLVMGetCalledValue(last)) &&
	       LLVMIsALandingPadInst(gap_first_non_phi(LLVMGetUnwindDest(last)));
}

static LLVMValueRef take_through_memory(LLVMBuilderRef b, LLVMValueRef v)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(b),
	                  entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here));
	LLVMValueRef next = LLVMGetBasicBlockTerminator(here);
	LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
	LLVMValueRef slot = LLVMBuildAlloca(b, LLVMTypeOf(v), "");
	LLVMPositionBuilderBefore(b, next);
	LLVMSetVolatile(LLVMBuildStore(b, v, slot), true);
	LLVMValueRef again = LLVMBuildLoad2(b, LLVMTypeOf(v), slot, "");
	LLVMSetVolatile(again, true);
	return again;
}

static void build_stack_map(LLVMBuilderRef b, LLVMModuleRef module)
{
	static const char name[] = "llvm.experimental.stackmap";
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMValueRef callee =
	    LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(name, sizeof name - 1), NULL, 0);
	LLVMValueRef args[] = {LLVMConstNull(LLVMInt64TypeInContext(context)),
	                       LLVMConstNull(LLVMInt32TypeInContext(context))};
	LLVMBuildCall2(b, LLVMGlobalGetValueType(callee), callee, args, ARRAY_LEN(args), "");
}

static bool is_word(LLVMTypeRef type)
{
	enum { WORD = 64 };
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	return kind == LLVMPointerTypeKind ||
	       (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= WORD);
}

/* Others may ask for a constant. */
static bool is_in_register(const char *constraint)
{
	return (constraint[0] >= '0' && constraint[0] <= '9') || constraint[0] == '{' ||
	       (constraint[0] == 'r' && (!constraint[1] || constraint[1] == ','));
}

static void prepare_operands(LLVMBuilderRef b, LLVMValueRef invoke)
{
	size_t len;
	const char *at = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(invoke), &len);
	const char *end = at + len;
	for (unsigned operand = 0; at < end && operand < LLVMGetNumArgOperands(invoke);) {
		bool indirect = at[0] == '=' && at[1] == '*';
		if (!strchr("=~!", at[0]) || indirect) {
			LLVMValueRef v = LLVMGetOperand(invoke, operand);
			if (is_word(LLVMTypeOf(v)) && (is_in_register(at) || !LLVMIsConstant(v)))
				LLVMSetOperand(invoke, operand, gap_take_through(b, v));
			operand++;
		}
		at += strcspn(at, ",") + 1;
	}
}

/* What the block itself makes may come to stand behind the assembly. */
static bool is_made_in(LLVMBasicBlockRef block, LLVMValueRef v)
{
	if (LLVMIsUndef(v) || LLVMIsPoison(v))
		return false;
	return LLVMIsConstant(v) ||
	       (LLVMIsAInstruction(v) && LLVMGetInstructionParent(v) == block && !LLVMIsAPHINode(v));
}

static void prepare_phis(LLVMBuilderRef b, LLVMValueRef invoke)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(invoke);
	LLVMValueRef phi = LLVMGetFirstInstruction(LLVMGetUnwindDest(invoke));
	for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
		for (unsigned i = 0, n = LLVMCountIncoming(phi); i < n; i++) {
			LLVMValueRef v = LLVMGetIncomingValue(phi, i);
			if (LLVMGetIncomingBlock(phi, i) != block || !is_made_in(block, v))
				continue;
			LLVMSetOperand(phi, i,
			               is_word(LLVMTypeOf(v)) ? gap_take_through(b, v)
			                                      : take_through_memory(b, v));
		}
}

static void prepare(LLVMBuilderRef b, LLVMModuleRef module, LLVMValueRef invoke)
{
	LLVMPositionBuilderBefore(b, invoke);
	prepare_operands(b, invoke);
	prepare_phis(b, invoke);
	build_stack_map(b, module);
}

void asm_unwind_prepare(LLVMModuleRef module)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
		     block = LLVMGetNextBasicBlock(block)) {
			LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
			if (is_for_pad(last))
				prepare(b, module, last);
		}
	LLVMDisposeBuilder(b);
}
