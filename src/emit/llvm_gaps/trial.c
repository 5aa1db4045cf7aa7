/* emit/llvm_gaps/trial.c
 *
 *	define T @trial(i32 %0) "target-features"="…" { %2 = call T @llvm.…(i32 %0, i8 7)  ret T %2 }
 */
#include "emit/llvm_gaps/trial.h"

#include "base/base.h"
#include "emit/source_place.h"

#include <stdlib.h>

#include <llvm-c/Core.h>

LLVMModuleRef trial_module(LLVMModuleRef like)
{
	LLVMModuleRef module = LLVMModuleCreateWithNameInContext("", LLVMGetModuleContext(like));
	LLVMSetTarget(module, LLVMGetTarget(like));
	LLVMSetDataLayout(module, LLVMGetDataLayoutStr(like));
	return module;
}

LLVMModuleRef trial_module_assembly(LLVMModuleRef like, LLVMValueRef *node)
{
	size_t len;
	const char *text = LLVMGetModuleInlineAsm(like, &len);
	if (!len)
		return NULL;
	LLVMModuleRef module = trial_module(like);
	LLVMSetModuleInlineAsm2(module, text, len);
	*node = NULL;
	if (LLVMGetNamedMetadataNumOperands(like, PLACE_MODULE_ASM) == 1)
		LLVMGetNamedMetadataOperands(like, PLACE_MODULE_ASM, node);
	return module;
}

static void copy_attributes(LLVMValueRef to, LLVMValueRef from)
{
	static const char *const names[] = {"target-cpu", "target-features"};
	for (unsigned i = 0; i < ARRAY_LEN(names); i++) {
		LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(from, LLVMAttributeFunctionIndex, names[i],
		                                                   (unsigned)strlen(names[i]));
		if (a)
			LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex, a);
	}
}

static void copy_call_attributes(LLVMValueRef to, LLVMValueRef from, unsigned nargs)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
	for (unsigned i = 1; i <= nargs; i++) {
		LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(from, i, kind);
		if (a)
			LLVMAddCallSiteAttribute(to, i, a);
	}
}

/* Symbols that are named are declared, what must be on the stack is there. */
static LLVMValueRef argument(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef arg, LLVMValueRef param)
{
	size_t len;
	if (LLVMIsAConstantInt(arg))
		return arg;
	if (LLVMIsAAllocaInst(arg))
		return LLVMBuildAlloca(b, LLVMInt64TypeInContext(LLVMGetModuleContext(module)), "");
	if (!LLVMIsAGlobalValue(arg))
		return param;
	const char *name = LLVMGetValueName2(arg, &len);
	LLVMValueRef known = LLVMGetNamedGlobal(module, name);
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
	return known ? known : LLVMAddGlobal(module, byte, name);
}

/* Assembly belongs to the context, functions to the module. */
static LLVMValueRef callee(LLVMModuleRef module, LLVMValueRef call)
{
	size_t len;
	LLVMValueRef f = LLVMGetCalledValue(call);
	if (LLVMIsAInlineAsm(f))
		return f;
	const char *name = LLVMGetValueName2(f, &len);
	LLVMValueRef known = LLVMGetNamedFunction(module, name);
	return known ? known : LLVMAddFunction(module, name, LLVMGetCalledFunctionType(call));
}

static void fill(LLVMModuleRef module, LLVMValueRef function, LLVMValueRef call, LLVMValueRef *args,
                 unsigned nargs)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
	LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, function, ""));
	for (unsigned i = 0; i < nargs; i++)
		args[i] = argument(module, b, LLVMGetOperand(call, i), LLVMGetParam(function, i));
	LLVMValueRef again =
	    LLVMBuildCall2(b, LLVMGetCalledFunctionType(call), callee(module, call), args, nargs, "");
	copy_call_attributes(again, call, nargs);
	if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(b);
	else
		LLVMBuildRet(b, again);
	LLVMDisposeBuilder(b);
}

bool trial_add_call(LLVMModuleRef module, LLVMValueRef call, LLVMValueRef parent)
{
	unsigned nargs = LLVMGetNumArgOperands(call);
	LLVMValueRef *args = calloc(nargs + 1, sizeof *args);
	LLVMTypeRef *types = calloc(nargs + 1, sizeof *types);
	if (args && types) {
		LLVMTypeRef type = LLVMGetCalledFunctionType(call);
		LLVMGetParamTypes(type, types);
		type = LLVMFunctionType(LLVMGetReturnType(type), types, nargs, false);
		LLVMValueRef function = LLVMAddFunction(module, "trial", type);
		copy_attributes(function, parent);
		fill(module, function, call, args, nargs);
	}
	bool ok = args && types;
	free(args);
	free(types);
	return ok;
}
