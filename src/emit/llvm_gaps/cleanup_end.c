/* emit/llvm_gaps/cleanup_end.c: from
 *
 * 	c:
 * 		%p = cleanuppad within none []
 * 		call void @close() [ "funclet"(token %p) ]
 * 		cleanupret from %p unwind label %d
 * to
 *
 * 	c:
 * 		%p = cleanuppad within none []
 * 		%on = call i1 @llvm.allow.runtime.check(metadata !"circ.cleanup.0") memory(none)
 * 		br i1 %on, label %rest, label %end
 * 	end:
 * 		cleanupret from %p unwind label %d
 * 	rest:
 * 		call void @close() [ "funclet"(token %p) ]
 * 		cleanupret from %p unwind label %d
 *
 * and after the optimizer `%on` to true, or, where the pad has no cleanupret but that in `end`, to a variable that is true.
 */
#include "emit/llvm_gaps/cleanup_end.h"

#include "emit/llvm_gaps/block.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Transforms/PassBuilder.h>

#define CONDITION "llvm.allow.runtime.check"
#define MARK      "circ.cleanup."

static bool has_pads(LLVMValueRef function)
{
	return gap_has_personality(function, "__C_specific_handler") ||
	       gap_has_personality(function, "__CxxFrameHandler3");
}

/* ---- before the optimizer ---- */

static LLVMValueRef find_cleanupret(LLVMValueRef pad)
{
	for (LLVMUseRef use = LLVMGetFirstUse(pad); use; use = LLVMGetNextUse(use))
		if (LLVMIsACleanupReturnInst(LLVMGetUser(use)))
			return LLVMGetUser(use);
	return NULL;
}

/* A function may be known not to return by its body, by an attribute, or by its name. */
static bool calls_function(LLVMBasicBlockRef b)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
		LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
		if (callee && !LLVMIsAInlineAsm(callee) &&
		    !(LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee)))
			return true;
	}
	return false;
}

/* Numbered: two of one text would be one value to the optimizer. */
static LLVMValueRef build_condition(GapWork *work)
{
	LLVMModuleRef module = LLVMGetGlobalParent(work->function);
	LLVMContextRef context = LLVMGetModuleContext(module);
	unsigned id = LLVMLookupIntrinsicID(CONDITION, sizeof CONDITION - 1);
	LLVMValueRef callee = LLVMGetIntrinsicDeclaration(module, id, NULL, 0);
	char text[sizeof MARK + 24];
	int len = snprintf(text, sizeof text, MARK "%" PRIu64, work->changes++);
	LLVMValueRef mark = LLVMMetadataAsValue(context, LLVMMDStringInContext2(context, text, (size_t)len));
	LLVMValueRef on = LLVMBuildCall2(work->builder, LLVMGlobalGetValueType(callee), callee, &mark, 1, "");
	unsigned memory = LLVMGetEnumAttributeKindForName("memory", strlen("memory"));
	enum { MEMORY_NONE = 0 };
	LLVMAddCallSiteAttribute(on, LLVMAttributeFunctionIndex,
	                         LLVMCreateEnumAttribute(context, memory, MEMORY_NONE));
	return on;
}

/* The program does not come here, so that what the pad takes from `b` is of no matter. */
static void add_poison(LLVMBasicBlockRef pad, LLVMBasicBlockRef from)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(pad); i && LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i)) {
		LLVMValueRef poison = LLVMGetPoison(LLVMTypeOf(i));
		LLVMAddIncoming(i, &poison, &from, 1);
	}
}

static LLVMBasicBlockRef build_end(GapWork *work, LLVMBasicBlockRef rest, LLVMValueRef pad,
                                   LLVMBasicBlockRef dest)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(work->function));
	LLVMBasicBlockRef end = LLVMInsertBasicBlockInContext(context, rest, "");
	LLVMPositionBuilderAtEnd(work->builder, end);
	LLVMBuildCleanupRet(work->builder, pad, dest);
	if (dest)
		add_poison(dest, end);
	return end;
}

static void hold_end(GapWork *work, LLVMBasicBlockRef rest)
{
	LLVMValueRef pad = gap_first_non_phi(rest),
	             ret = LLVMIsACleanupPadInst(pad) ? find_cleanupret(pad) : NULL;
	if (!ret || (LLVMGetInstructionParent(ret) == rest && !calls_function(rest)))
		return;
	LLVMBasicBlockRef dest = LLVMGetNumSuccessors(ret) ? LLVMGetSuccessor(ret, 0) : NULL;
	LLVMBasicBlockRef begin = gap_block_before(work->builder, rest);
	LLVMInstructionRemoveFromParent(pad);
	LLVMInsertIntoBuilder(work->builder, pad);
	LLVMBasicBlockRef end = build_end(work, rest, pad, dest);
	LLVMPositionBuilderAtEnd(work->builder, begin);
	LLVMBuildCondBr(work->builder, build_condition(work), rest, end);
}

static void hold_ends_of(GapWork *work)
{
	VEC(LLVMBasicBlockRef) blocks = {0};
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(work->function); b; b = LLVMGetNextBasicBlock(b))
		vec_push(&work->mem, &blocks, b);
	for (uint32_t i = 0; i < blocks.len; i++)
		hold_end(work, blocks.data[i]);
}

bool emit_hold_cleanup_ends(LLVMModuleRef module, Diags *d)
{
	return gap_change_functions(module, has_pads, hold_ends_of, d);
}

/* ---- after the optimizer ---- */

typedef VEC(LLVMValueRef) Values;

static bool is_condition(LLVMValueRef v)
{
	LLVMValueRef callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
	size_t len;
	unsigned n;
	if (!callee || !LLVMIsAFunction(callee) || strcmp(LLVMGetValueName2(callee, &len), CONDITION) != 0)
		return false;
	const char *mark = LLVMGetMDString(LLVMGetOperand(v, 0), &n);
	return mark && n > sizeof MARK - 1 && memcmp(mark, MARK, sizeof MARK - 1) == 0;
}

static bool is_conditional(LLVMValueRef terminator)
{
	return LLVMIsABranchInst(terminator) && LLVMIsConditional(terminator) &&
	       is_condition(LLVMGetCondition(terminator));
}

/* The blocks of a cleanup that are reached where each condition is true. */
typedef struct Walk {
	GapWork *work;
	GapWalk blocks;
	Values branches; /* at a condition */
} Walk;

static void go_on(Walk *w, LLVMValueRef terminator)
{
	if (is_conditional(terminator)) {
		vec_push(&w->work->mem, &w->branches, terminator);
		gap_walk_to(w->work, &w->blocks, LLVMGetSuccessor(terminator, 0));
		return;
	}
	for (unsigned i = 0, n = LLVMGetNumSuccessors(terminator); i < n; i++)
		gap_walk_to(w->work, &w->blocks, LLVMGetSuccessor(terminator, i));
}

/* Code of handlers that the cleanup has is walked through, too. */
static bool has_end(Walk *w, LLVMValueRef pad)
{
	gap_walk_to(w->work, &w->blocks, LLVMGetInstructionParent(pad));
	while (w->blocks.left.len) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(vec_pop(&w->blocks.left));
		if (LLVMIsACleanupReturnInst(last) && LLVMGetOperand(last, 0) == pad)
			return true;
		go_on(w, last);
	}
	return false;
}

static void settle_end(GapWork *work, LLVMValueRef pad)
{
	Walk w = {.work = work};
	if (has_end(&w, pad))
		return;
	for (uint32_t i = 0; i < w.branches.len; i++)
		LLVMSetCondition(w.branches.data[i], gap_build_bool(work, w.branches.data[i], true));
}

static void settle_ends_of(GapWork *work)
{
	Values conditions = {0}, pads = {0};
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(work->function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsACleanupPadInst(i))
				vec_push(&work->mem, &pads, i);
			else if (is_condition(i))
				vec_push(&work->mem, &conditions, i);
	if (!conditions.len)
		return;
	for (uint32_t i = 0; i < pads.len; i++)
		settle_end(work, pads.data[i]);
	for (uint32_t i = 0; i < conditions.len; i++) {
		LLVMReplaceAllUsesWith(conditions.data[i],
		                       LLVMConstInt(LLVMTypeOf(conditions.data[i]), 1, false));
		LLVMInstructionEraseFromParent(conditions.data[i]);
	}
}

/* Edges that are never taken go, and cleanups that end in one another become one, as without the conditions. */
static bool simplify(LLVMModuleRef module, LLVMTargetMachineRef machine, Diags *d)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(module, "function(simplifycfg)", machine, options);
	LLVMDisposePassBuilderOptions(options);
	if (!error)
		return true;
	char *message = LLVMGetErrorMessage(error);
	diag_failure(d, "LLVM cannot simplify the module: %s", message);
	LLVMDisposeErrorMessage(message);
	return false;
}

bool emit_settle_cleanup_ends(LLVMModuleRef module, LLVMTargetMachineRef machine, Diags *d)
{
	LLVMValueRef condition = LLVMGetNamedFunction(module, CONDITION);
	if (!condition)
		return true;
	if (!gap_change_functions(module, has_pads, settle_ends_of, d))
		return false;
	if (!LLVMGetFirstUse(condition))
		LLVMDeleteFunction(condition);
	return simplify(module, machine, d);
}
