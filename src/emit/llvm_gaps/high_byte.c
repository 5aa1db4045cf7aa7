/* emit/llvm_gaps/high_byte.c */
#include "emit/llvm_gaps/high_byte.h"

#include "emit/source_place.h"

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

/* The next call of such assembly in the function; after NULL: the first. cir.asm is lowered to calls alone, never to
 * invoke or callbr. */
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
static bool is_refused(LLVMTargetMachineRef machine, LLVMModuleRef module, CompileBudget *budget)
{
	char reason[COMPILE_REASON_MAX + 1];
	return compile_apart(machine, module, budget, reason) == COMPILE_REFUSED &&
	       strstr(reason, "high byte register");
}

/* Of the functions with such calls, counted as they stand in the module. */
typedef struct {
	unsigned from, to;
} Range;

typedef struct Check {
	LLVMModuleRef module;
	LLVMTargetMachineRef machine;
	CompileBudget budget;
	Diags *d;
} Check;

/* A copy in which code is made for those functions alone. */
static bool is_range_refused(Check *c, Range range)
{
	unsigned i = 0;
	LLVMModuleRef copy = LLVMCloneModule(c->module);
	for (LLVMValueRef f = LLVMGetFirstFunction(copy); f; f = LLVMGetNextFunction(f)) {
		bool candidate = next_call(f, NULL) != NULL;
		unsigned at = i;
		i += candidate;
		if (LLVMIsDeclaration(f) || (candidate && at >= range.from && at < range.to))
			continue;
		LLVMSetComdat(f, NULL);
		LLVMSetLinkage(f, LLVMAvailableExternallyLinkage);
	}
	bool refused = is_refused(c->machine, copy, &c->budget);
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
	           "'cir.asm' op is rejected by LLVM: no instruction moves a byte between 'ah', 'bh', 'ch' "
	           "or 'dh' and a register that needs a REX prefix");
	while ((call = next_call(function, call))) {
		Place other = place_of_call(d, call);
		diag_note(d, (Loc){.pos = other.pos, .info = &other.info},
		          "or this 'cir.asm' of the same function is the cause");
	}
}

static LLVMValueRef candidate(LLVMModuleRef module, unsigned i)
{
	LLVMValueRef f = LLVMGetFirstFunction(module);
	while (f && (!next_call(f, NULL) || i--))
		f = LLVMGetNextFunction(f);
	return f;
}

/* By halves: few functions are refused, and each trial copies the module. */
static void report_range(Check *c, Range range)
{
	if (range.from == range.to || diag_full(c->d) || !is_range_refused(c, range))
		return;
	if (range.to - range.from == 1) {
		LLVMValueRef f = candidate(c->module, range.from);
		report(f, next_call(f, NULL), c->d);
		return;
	}
	unsigned middle = range.from + (range.to - range.from) / 2;
	report_range(c, (Range){range.from, middle});
	report_range(c, (Range){middle, range.to});
}

bool high_byte_ends_process(LLVMModuleRef module, LLVMTargetMachineRef machine, CompileBudget *budget)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (next_call(f, NULL))
			return is_refused(machine, module, budget);
	return false;
}

bool high_byte_check(LLVMModuleRef module, LLVMTargetMachineRef machine, Diags *d)
{
	uint32_t errors = d->errors;
	unsigned n = 0;
	if (!LLVMGetNamedMetadataNumOperands(module, PLACE_HIGH_BYTES))
		return true;
	compile_apart_set_up(machine, module);
	Check c = {.module = module, .machine = machine, .budget = compile_budget, .d = d};
	if (!is_refused(machine, module, &c.budget))
		return true;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		n += next_call(f, NULL) != NULL;
	report_range(&c, (Range){0, n});
	if (d->errors == errors && n) /* refused only as a whole: it must not be compiled in this process */
		report(candidate(module, 0), next_call(candidate(module, 0), NULL), d);
	return d->errors == errors;
}
