#include "emit/llvm_gaps/dontcall.h"

#include "emit/source_place.h"

#include <string.h>

static const char *const keys[] = {"dontcall-error", "dontcall-warn"};

static LLVMAttributeRef attribute(LLVMValueRef f, unsigned key)
{
	return LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, keys[key],
	                                     (unsigned)strlen(keys[key]));
}

static unsigned place_kind(LLVMValueRef f)
{
	static const char kind[] = PLACE_KIND;
	return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(f)), kind, sizeof kind - 1);
}

static void report(Diags *d, LLVMValueRef call, LLVMValueRef callee, unsigned key)
{
	unsigned kind = place_kind(callee);
	LLVMValueRef node = LLVMGetMetadata(call, kind);
	/* LLVM drops a call's own place where it makes one of two; the function has that of some call. */
	Place place = node ? place_of(d, node) : place_of_function(d, callee, kind);
	Loc loc = {0};
	if (place.number)
		loc = (Loc){.pos = place.pos, .info = &place.info};
	unsigned note_len;
	size_t len;
	const char *note = LLVMGetStringAttributeValue(attribute(callee, key), &note_len);
	const char *name = LLVMGetValueName2(callee, &len);
	static const char format[] = "call of '%.*s', which is marked \"%s\", was not removed: %.*s";
	if (key == 0)
		diag_error(d, loc, format, (int)len, name, keys[key], (int)note_len, note);
	else
		diag_warning(d, loc, format, (int)len, name, keys[key], (int)note_len, note);
}

static void visit(Diags *d, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
	for (unsigned key = 0; callee && key < ARRAY_LEN(keys); key++)
		if (attribute(callee, key))
			report(d, call, callee, key);
}

static bool is_needed(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (unsigned key = 0; key < ARRAY_LEN(keys); key++)
			if (attribute(f, key))
				return true;
	return false;
}

static void take_away(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (unsigned key = 0; key < ARRAY_LEN(keys); key++)
			LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, keys[key],
			                                 (unsigned)strlen(keys[key]));
}

void dontcall_report(LLVMModuleRef module, Diags *d)
{
	if (!is_needed(module))
		return;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				visit(d, i);
	take_away(module);
}
