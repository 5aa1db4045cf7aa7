/* emit/llvm_gaps/catch_state.c: from
 *
 * 		%s = catchswitch within %parent [label %handler] unwind label %outer
 * 		...
 * 		catchret from %h to label %on
 * 	on:
 * 		%a = phi i32 [ 1, %x ], [ 2, %y ]
 * 		call void @f()
 * to
 * 		catchret from %h to label %0
 * 	0:
 * 		%a = phi i32 [ 1, %x ], [ 2, %y ]
 * 		invoke void @llvm.seh.scope.end() to label %on unwind label %outermost
 * 	on:
 * 		call void @f()
 *
 * An end of a scope leads to the state around its pad, whatever the state before is. So one of the outermost pad within the same parent does for all.
 */
#include "emit/llvm_gaps/catch_state.h"

#include "base/ptrmap.h"
#include "base/vec.h"
#include "emit/llvm_gaps/block.h"

#include <string.h>

#include <llvm-c/Core.h>

/* The block after a handler, and the outermost of the pads around its try. */
typedef struct Exit {
	LLVMBasicBlockRef on, outermost;
	LLVMValueRef parent; /* the pad that both are in, or the token `none` */
} Exit;

typedef struct Function {
	GapWork *work;
	VEC(Exit) exits;
	PtrMap seen; /* blocks of the exits */
} Function;

static LLVMBasicBlockRef unwind_dest(LLVMBasicBlockRef pad)
{
	LLVMValueRef i = gap_first_non_phi(pad);
	if (LLVMIsACatchSwitchInst(i))
		return LLVMGetUnwindDest(i);
	for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u))
		if (LLVMIsACleanupReturnInst(LLVMGetUser(u)))
			return LLVMGetUnwindDest(LLVMGetUser(u));
	return NULL;
}

/* The operand after the arguments, of a cleanuppad. */
static LLVMValueRef parent_of(LLVMBasicBlockRef pad)
{
	LLVMValueRef i = gap_first_non_phi(pad);
	return LLVMIsACatchSwitchInst(i) ? LLVMGetOperand(i, 0)
	                                 : LLVMGetOperand(i, (unsigned)LLVMGetNumArgOperands(i));
}

/* LLVM IR that is read may be clang's. */
static bool begins_scope(LLVMValueRef terminator)
{
	size_t len;
	LLVMValueRef callee = LLVMIsAInvokeInst(terminator) ? LLVMGetCalledValue(terminator) : NULL;
	const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &len) : "";
	return strcmp(name, "llvm.seh.scope.begin") == 0;
}

static void find_exit(Function *f, LLVMBasicBlockRef b)
{
	LLVMValueRef ret = LLVMGetBasicBlockTerminator(b);
	if (!LLVMIsACatchReturnInst(ret))
		return;
	LLVMBasicBlockRef pad = LLVMGetInstructionParent(LLVMGetParentCatchSwitch(LLVMGetOperand(ret, 0)));
	Exit e = {.on = LLVMGetSuccessor(ret, 0), .parent = parent_of(pad)};
	while ((pad = unwind_dest(pad)) && parent_of(pad) == e.parent)
		e.outermost = pad;
	if (!e.outermost || ptrmap_get(&f->seen, e.on))
		return;
	ptrmap_put(&f->work->mem, &f->seen, e.on, e.on);
	vec_push(&f->work->mem, &f->exits, e);
}

/* Nothing comes along the new edge. */
static void extend_phis(LLVMBasicBlockRef pad, LLVMBasicBlockRef from)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(pad); i && LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i)) {
		LLVMValueRef nothing = LLVMGetPoison(LLVMTypeOf(i));
		LLVMAddIncoming(i, &nothing, &from, 1);
	}
}

static void end_scope(Function *f, const Exit *e)
{
	static const char name[] = "llvm.seh.scope.end";
	LLVMModuleRef module = LLVMGetGlobalParent(f->work->function);
	LLVMBasicBlockRef before = gap_block_before(f->work->builder, e->on);
	LLVMValueRef end =
	    LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(name, sizeof name - 1), NULL, 0);
	bool is_inside = LLVMIsAInstruction(e->parent) != NULL;
	LLVMOperandBundleRef funclet = LLVMCreateOperandBundle("funclet", 7, (LLVMValueRef *)&e->parent, 1);
	LLVMBuildInvokeWithOperandBundles(f->work->builder, LLVMGlobalGetValueType(end), end, NULL, 0, e->on,
	                                  e->outermost, &funclet, is_inside, "");
	LLVMDisposeOperandBundle(funclet);
	extend_phis(e->outermost, before);
}

static void end_scopes_of(GapWork *work)
{
	Function f = {.work = work};
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(work->function); b; b = LLVMGetNextBasicBlock(b)) {
		if (begins_scope(LLVMGetBasicBlockTerminator(b)))
			return;
		find_exit(&f, b);
	}
	for (uint32_t i = 0; i < f.exits.len; i++)
		end_scope(&f, &f.exits.data[i]);
}

/* Functions of circ's runtime have no pads around a handler in a module with the flag (lower/op_pad.c). */
static bool is_cxx(LLVMValueRef function)
{
	return gap_has_personality(function, "__CxxFrameHandler3");
}

bool emit_end_catch_states(LLVMModuleRef module, Diags *d)
{
	static const char flag[] = "eh-asynch";
	return !LLVMGetModuleFlag(module, flag, sizeof flag - 1) ||
	       gap_change_functions(module, is_cxx, end_scopes_of, d);
}
