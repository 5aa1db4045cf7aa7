#include "emit/llvm_gaps/block.h"

#include <string.h>

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

LLVMValueRef gap_take_through(LLVMBuilderRef b, LLVMValueRef v)
{
	static const char constraints[] = "=r,0";
	LLVMTypeRef value = LLVMTypeOf(v), type = LLVMFunctionType(value, &value, 1, false);
	LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, constraints, sizeof constraints - 1, true, false,
	                                        LLVMInlineAsmDialectATT, false);
	return LLVMBuildCall2(b, type, nothing, &v, 1, "");
}

bool gap_has_personality(LLVMValueRef function, const char *name)
{
	size_t len;
	return LLVMHasPersonalityFn(function) &&
	       strcmp(LLVMGetValueName2(LLVMGetPersonalityFn(function), &len), name) == 0;
}

void gap_walk_to(GapWork *work, GapWalk *walk, LLVMBasicBlockRef b)
{
	if (ptrmap_get(&walk->seen, b))
		return;
	ptrmap_put(&work->mem, &walk->seen, b, b);
	vec_push(&work->mem, &walk->left, b);
}

LLVMValueRef gap_build_bool(GapWork *work, LLVMValueRef branch, bool value)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(work->function));
	LLVMTypeRef type = LLVMInt8TypeInContext(context);
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(work->function));
	LLVMPositionBuilderBefore(work->builder, first);
	LLVMValueRef variable = LLVMBuildAlloca(work->builder, type, "");
	LLVMBuildStore(work->builder, LLVMConstInt(type, value, false), variable);
	LLVMPositionBuilderBefore(work->builder, branch);
	LLVMValueRef loaded = LLVMBuildLoad2(work->builder, type, variable, "");
	LLVMSetVolatile(loaded, true);
	return LLVMBuildTrunc(work->builder, loaded, LLVMInt1TypeInContext(context), "");
}

static bool change_all(GapWork *work, LLVMModuleRef module, bool (*is_wanted)(LLVMValueRef function),
                       void (*change)(GapWork *work), OomGuard *guard, Diags *d)
{
	if (setjmp(guard->env)) {
		diag_failure(d, "out of memory");
		return false;
	}
	LLVMValueRef f = LLVMGetFirstFunction(module);
	for (; f; f = LLVMGetNextFunction(f))
		if (is_wanted(f)) {
			work->function = f;
			change(work);
		}
	return true;
}

bool gap_change_functions(LLVMModuleRef module, bool (*is_wanted)(LLVMValueRef function),
                          void (*change)(GapWork *work), Diags *d)
{
	OomGuard guard;
	GapWork work = {.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
	arena_init(&work.mem);
	work.mem.oom = &guard;
	bool ok = change_all(&work, module, is_wanted, change, &guard, d);
	arena_free(&work.mem);
	LLVMDisposeBuilder(work.builder);
	return ok;
}
