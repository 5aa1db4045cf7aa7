/* emit/llvm_gaps/scope_ranges.c: from
 *
 * 	on:
 * 		%a = phi i32 [ 1, %x ], [ 2, %y ]
 * 		%v = load i32, ptr %p
 * 		br label %next
 * to
 * 	0:
 * 		%a = phi i32 [ 1, %x ], [ 2, %y ]
 * 		invoke void asm sideeffect unwind "nop", ""() to label %on unwind label %ends
 * 	on:
 * 		%v = load i32, ptr %p
 * 		br label %next
 * 	ends:
 * 		%c = cleanuppad within none []
 * 		cleanupret from %c unwind to caller
 *
 * The edges lead to the new block. The old block keeps its terminator, so that phis of its successors still name it.
 */
#include "emit/llvm_gaps/scope_ranges.h"

#include "emit/llvm_gaps/block.h"

#include <llvm-c/Core.h>

typedef struct Function {
	GapWork *work;
	bool marked;
	LLVMBasicBlockRef ends; /* the cleanup that does nothing; made for the first that needs it */
	GapWalk funclets;
} Function;

/* ---- blocks of funclets ---- */

static bool is_pad(LLVMBasicBlockRef b)
{
	LLVMValueRef i = gap_first_non_phi(b);
	return LLVMIsACatchSwitchInst(i) || LLVMIsACleanupPadInst(i) || LLVMIsACatchPadInst(i);
}

/* Pads, and the blocks that can be reached from them before their funclet returns. */
static void find_funclets(Function *f)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->work->function); b; b = LLVMGetNextBasicBlock(b))
		if (is_pad(b))
			gap_walk_to(f->work, &f->funclets, b);
	while (f->funclets.left.len) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(vec_pop(&f->funclets.left));
		if (LLVMIsACatchReturnInst(last) || LLVMIsACleanupReturnInst(last))
			continue;
		for (unsigned i = 0, n = LLVMGetNumSuccessors(last); i < n; i++)
			gap_walk_to(f->work, &f->funclets, LLVMGetSuccessor(last, i));
	}
}

/* ---- what may fault ---- */

static bool is_variable(LLVMValueRef pointer)
{
	while (LLVMIsAGetElementPtrInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return LLVMIsAAllocaInst(pointer);
}

/* What other functions do is no matter: LLVM ends a range at a call that may unwind, and what does not unwind does not fault. */
static bool call_may_fault(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	size_t len;
	return LLVMIsAInlineAsm(callee) ||
	       (LLVMIsAFunction(callee) && strncmp(LLVMGetValueName2(callee, &len), "llvm.mem", 8) == 0);
}

static bool may_fault(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		return !is_variable(LLVMGetOperand(i, 0));
	case LLVMStore:
		return !is_variable(LLVMGetOperand(i, 1));
	case LLVMUDiv:
	case LLVMSDiv:
	case LLVMURem:
	case LLVMSRem:
		return !LLVMIsAConstantInt(LLVMGetOperand(i, 1));
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return true;
	case LLVMCall:
		return call_may_fault(i);
	default:
		return false;
	}
}

/* An operation of `cir.try async` whose exception leaves the function (lower/op_async.c). */
static bool is_unwinding_asm(LLVMValueRef i)
{
	LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
	return callee && LLVMIsAInlineAsm(callee) && LLVMGetInlineAsmCanUnwind(callee);
}

/* A variable of the function must stay in its first block, where no invoke stands before anything. */
static bool needs_end(const Function *f, LLVMBasicBlockRef b)
{
	if (b == LLVMGetEntryBasicBlock(f->work->function) || ptrmap_get(&f->funclets.seen, b))
		return false;
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
		if (f->marked ? may_fault(i) : is_unwinding_asm(i))
			return true;
	return false;
}

/* ---- where ranges end ---- */

static LLVMBasicBlockRef make_cleanup(Function *f)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(f->work->function));
	LLVMBasicBlockRef b = LLVMAppendBasicBlockInContext(context, f->work->function, "");
	LLVMPositionBuilderAtEnd(f->work->builder, b);
	LLVMBuildCleanupRet(f->work->builder, LLVMBuildCleanupPad(f->work->builder, NULL, NULL, 0, ""), NULL);
	return b;
}

static void build_invoke(Function *f, LLVMBasicBlockRef on)
{
	static const char nop[] = "nop";
	LLVMTypeRef none = LLVMVoidTypeInContext(LLVMGetTypeContext(LLVMTypeOf(f->work->function)));
	LLVMTypeRef type = LLVMFunctionType(none, NULL, 0, false);
	LLVMValueRef callee =
	    LLVMGetInlineAsm(type, nop, sizeof nop - 1, "", 0, true, false, LLVMInlineAsmDialectATT, true);
	LLVMBuildInvoke2(f->work->builder, type, callee, NULL, 0, on, f->ends, "");
}

static void end_range_before(Function *f, LLVMBasicBlockRef on)
{
	if (!f->ends)
		f->ends = make_cleanup(f);
	gap_block_before(f->work->builder, on);
	build_invoke(f, on);
}

static bool is_marked(LLVMValueRef function)
{
	return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, SCOPE_RANGES,
	                                     sizeof SCOPE_RANGES - 1) != NULL;
}

static void end_ranges_of(GapWork *work)
{
	Function f = {.work = work, .marked = is_marked(work->function)};
	VEC(LLVMBasicBlockRef) found = {0};
	find_funclets(&f);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(work->function); b; b = LLVMGetNextBasicBlock(b))
		if (needs_end(&f, b))
			vec_push(&work->mem, &found, b);
	for (uint32_t i = 0; i < found.len; i++)
		end_range_before(&f, found.data[i]);
}

/* LLVM IR that is read may have the attribute anywhere; other personalities have other pads. */
static bool has_scopes(LLVMValueRef function)
{
	bool faults = is_marked(function), invokes = false;
	if (!gap_has_personality(function, "__C_specific_handler"))
		return false;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		invokes |= LLVMIsAInvokeInst(LLVMGetBasicBlockTerminator(b)) != NULL;
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !faults; i = LLVMGetNextInstruction(i))
			faults = is_unwinding_asm(i);
	}
	return invokes && faults;
}

bool emit_end_scope_ranges(LLVMModuleRef module, Diags *d)
{
	return gap_change_functions(module, has_scopes, end_ranges_of, d);
}
