/* emit/high_byte.c */
#include "emit/high_byte.h"

#include "emit/compile_apart.h"
#include "emit/place.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>

/* Clobbers aside: nothing is moved there. */
static bool names_high_byte(LLVMValueRef assembly)
{
	size_t len;
	const char *text = LLVMGetInlineAsmConstraintString(assembly, &len);
	for (char before = 0; len >= 4; before = *text++, len--)
		if (before != '~' && text[0] == '{' && strchr("aAbBcCdD", text[1]) &&
		    (text[2] | 0x20) == 'h' && text[3] == '}')
			return true;
	return false;
}

/* The next call of such assembly in the function; after NULL: the first. */
static LLVMValueRef next_call(LLVMValueRef function, LLVMValueRef call)
{
	LLVMBasicBlockRef b = call ? LLVMGetInstructionParent(call) : LLVMGetFirstBasicBlock(function);
	LLVMValueRef i = call ? LLVMGetNextInstruction(call) : b ? LLVMGetFirstInstruction(b) : NULL;
	for (; b; b = LLVMGetNextBasicBlock(b), i = b ? LLVMGetFirstInstruction(b) : NULL)
		for (; i; i = LLVMGetNextInstruction(i))
			if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)) &&
			    names_high_byte(LLVMGetCalledValue(i)))
				return i;
	return NULL;
}

/* LLVM's own words for it (X86MCCodeEmitter.cpp). */
static bool is_refused(LLVMTargetMachineRef machine, LLVMModuleRef module)
{
	char reason[COMPILE_REASON_MAX + 1];
	return compile_apart(machine, module, reason) == COMPILE_REFUSED &&
	       strstr(reason, "high byte register");
}

/* A copy in which code is made for the one function alone. */
static bool is_function_refused(LLVMTargetMachineRef machine, LLVMModuleRef module, LLVMValueRef function)
{
	size_t len;
	LLVMModuleRef copy = LLVMCloneModule(module);
	LLVMValueRef same = LLVMGetNamedFunction(copy, LLVMGetValueName2(function, &len));
	for (LLVMValueRef f = LLVMGetFirstFunction(copy); f; f = LLVMGetNextFunction(f)) {
		if (f == same || LLVMIsDeclaration(f))
			continue;
		LLVMSetComdat(f, NULL);
		LLVMSetLinkage(f, LLVMAvailableExternallyLinkage);
	}
	bool refused = is_refused(machine, copy);
	LLVMDisposeModule(copy);
	return refused;
}

static Place place_of_call(const Diags *d, LLVMValueRef call)
{
	unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(call)), "srcloc", 6);
	return place_of(d, LLVMGetMetadata(call, kind));
}

static void report(LLVMValueRef function, LLVMValueRef call, Diags *d)
{
	Place first = place_of_call(d, call);
	diag_error(d, (Loc){.pos = first.pos, .info = &first.info},
	           "'cir.asm' op is refused by LLVM: it moves a byte between 'ah', 'bh', 'ch' or 'dh' and a "
	           "register that needs a REX prefix, which no instruction can");
	while ((call = next_call(function, call))) {
		Place other = place_of_call(d, call);
		diag_note(d, (Loc){.pos = other.pos, .info = &other.info},
		          "or this one of the same function");
	}
}

bool high_byte_check(LLVMModuleRef module, LLVMTargetMachineRef machine, Diags *d)
{
	uint32_t errors = d->errors;
	if (!LLVMGetNamedMetadataNumOperands(module, PLACE_HIGH_BYTES))
		return true;
	compile_apart_set_up(machine, module);
	if (!is_refused(machine, module))
		return true;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !diag_full(d); f = LLVMGetNextFunction(f)) {
		LLVMValueRef call = next_call(f, NULL);
		if (call && is_function_refused(machine, module, f))
			report(f, call, d);
	}
	return d->errors == errors;
}
