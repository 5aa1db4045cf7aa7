/* emit/llvm_gaps/wasm_asm.c */
#include "emit/llvm_gaps/wasm_asm.h"

#include "emit/llvm_gaps/compile_apart.h"
#include "emit/llvm_gaps/trial.h"
#include "emit/source_place.h"
#include "target/target.h"

#include <llvm-c/Core.h>

typedef struct Check {
	LLVMModuleRef module;
	LLVMTargetMachineRef machine;
	CompileBudget budget;
	bool is_set_up;
	Diags *d;
} Check;

/* Disposes of it. */
static void try_alone(Check *c, LLVMModuleRef alone, const char *what, LLVMValueRef node)
{
	char reason[COMPILE_REASON_MAX + 1];
	if (!c->is_set_up)
		compile_apart_set_up(c->machine, c->module);
	c->is_set_up = true;
	CompileOutcome outcome = compile_apart(c->machine, alone, &c->budget, reason);
	LLVMDisposeModule(alone);
	if (outcome != COMPILE_REFUSED || strncmp(reason, "<inline asm>:", strlen("<inline asm>:")) == 0)
		return;
	Place place = place_of(c->d, node);
	diag_error(c->d, (Loc){.pos = place.pos, .info = place.info.name.len ? &place.info : NULL},
	           "%s is rejected by LLVM: %.*s", what, (int)strcspn(reason, "\n"),
	           *reason ? reason : "it crashes");
}

static void try_module_assembly(Check *c)
{
	LLVMValueRef node;
	LLVMModuleRef alone = trial_module_assembly(c->module, &node);
	if (alone)
		try_alone(c, alone, "attribute 'cir.module_asm'", node);
}

static void try_call(Check *c, LLVMValueRef call, LLVMValueRef function)
{
	unsigned srcloc = LLVMGetMDKindIDInContext(LLVMGetModuleContext(c->module), "srcloc", 6);
	LLVMModuleRef alone = trial_module(c->module);
	if (trial_add_call(alone, call, function))
		try_alone(c, alone, "'cir.asm' op", LLVMGetMetadata(call, srcloc));
	else
		LLVMDisposeModule(alone);
}

/* Assembly without any orders code (wasm_invoke_phi.c) and is harmless. */
static bool has_text(LLVMValueRef callee)
{
	size_t len = 0;
	if (LLVMIsAInlineAsm(callee))
		LLVMGetInlineAsmAsmString(callee, &len);
	return len > 0;
}

bool wasm_asm_check(LLVMModuleRef module, LLVMTargetMachineRef machine, Diags *d)
{
	uint32_t errors = d->errors;
	Check c = {.module = module, .machine = machine, .budget = compile_budget, .d = d};
	const AbiTarget *target = abi_target(str_of(LLVMGetTarget(module)));
	if (!target || target->object != ABI_OBJECT_WASM)
		return true;
	try_module_assembly(&c);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				if (LLVMIsACallInst(i) && has_text(LLVMGetCalledValue(i)))
					try_call(&c, i, f);
	return d->errors == errors;
}
