#include "emit/llvm_gaps/intrinsics.h"

#include "base/arena.h"
#include "base/name.h"
#include "base/vec.h"
#include "emit/llvm_gaps/compile_apart.h"
#include "emit/llvm_gaps/trial.h"
#include "emit/source_place.h"

#include <stdlib.h>

#include <llvm-c/Core.h>

typedef struct Site {
	LLVMValueRef call, function;
} Site;

typedef struct Check {
	LLVMModuleRef module;
	LLVMTargetMachineRef machine;
	Diags *d;
	unsigned kind; /* of the metadata that marks a call */
	Arena mem;
	NameTable seen; /* calls, as text */
	VEC(Site) sites;
	CompileBudget budget;
} Check;

/* ---- calls that are different ---- */

static Str attribute(LLVMValueRef function, const char *name)
{
	unsigned len = 0;
	LLVMAttributeRef a =
	    LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
	const char *text = a ? LLVMGetStringAttributeValue(a, &len) : NULL;
	return (Str){text, len};
}

static bool is_new(Check *c, const Site *s)
{
	StrBuf key = {0};
	size_t len;
	const char *name = LLVMGetValueName2(LLVMGetCalledValue(s->call), &len);
	buf_put(&c->mem, &key, (Str){name, len});
	for (unsigned i = 0; i < LLVMGetNumArgOperands(s->call); i++) {
		LLVMValueRef arg = LLVMGetOperand(s->call, i);
		unsigned long long n = LLVMIsAConstantInt(arg) && LLVMGetIntTypeWidth(LLVMTypeOf(arg)) <= 64
		                           ? LLVMConstIntGetZExtValue(arg)
		                           : 0;
		buf_printf(&c->mem, &key, " %d:%llu", LLVMGetValueKind(arg), n);
	}
	Str cpu = attribute(s->function, "target-cpu"), features = attribute(s->function, "target-features");
	buf_printf(&c->mem, &key, " %.*s %.*s", (int)cpu.len, cpu.data, (int)features.len, features.data);
	uint32_t before = c->seen.len;
	name_intern(&c->seen, (Str){key.data, key.len});
	return c->seen.len > before;
}

/* Other calls have places, too: emit/llvm_gaps/dontcall.h. */
static bool is_site(const Check *c, LLVMValueRef i)
{
	LLVMValueRef callee =
	    LLVMIsACallInst(i) && LLVMGetMetadata(i, c->kind) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
	size_t len;
	return callee && strncmp(LLVMGetValueName2(callee, &len), "llvm.", strlen("llvm.")) == 0;
}

static void find_sites(Check *c)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
				Site s = {i, f};
				if (is_site(c, i) && is_new(c, &s))
					vec_push(&c->mem, &c->sites, s);
			}
}

/* ---- the other process ---- */

static CompileOutcome compile_sites(Check *c, const Site *sites, uint32_t n, char *reason)
{
	LLVMModuleRef trial = trial_module(c->module);
	bool ok = true;
	for (uint32_t i = 0; i < n && ok; i++)
		ok = trial_add_call(trial, sites[i].call, sites[i].function);
	CompileOutcome outcome = ok ? compile_apart(c->machine, trial, &c->budget, reason) : COMPILE_UNKNOWN;
	LLVMDisposeModule(trial);
	return outcome;
}

/* ---- the whole ---- */

static void report(const Check *c, const Site *s, const char *reason)
{
	Place place = place_of(c->d, LLVMGetMetadata(s->call, c->kind));
	Loc loc = {.pos = place.pos, .info = &place.info};
	size_t len;
	const char *name = LLVMGetValueName2(LLVMGetCalledValue(s->call), &len);
	Str cpu = attribute(s->function, "target-cpu"), features = attribute(s->function, "target-features");
	char *own_cpu = LLVMGetTargetMachineCPU(c->machine);
	char *own_features = LLVMGetTargetMachineFeatureString(c->machine);
	cpu = cpu.len ? cpu : str_of(own_cpu);
	features = features.len ? features : str_of(own_features);
	/* "Cannot select" goes on with addresses of this process. */
	bool told = *reason && strncmp(reason, "Cannot select", strlen("Cannot select")) != 0;
	diag_error(c->d, loc,
	           "'cir.call_llvm_intrinsic' op: LLVM cannot generate code for '%.*s' with these arguments "
	           "on CPU '%.*s' with features '%.*s'%s%.*s",
	           (int)len, name, (int)cpu.len, cpu.data, (int)features.len, features.data, told ? ": " : "",
	           told ? (int)strcspn(reason, "\n") : 0, reason);
	LLVMDisposeMessage(own_cpu);
	LLVMDisposeMessage(own_features);
}

static bool check(Check *c, OomGuard *guard)
{
	char reason[COMPILE_REASON_MAX + 1];
	if (setjmp(guard->env)) {
		diag_failure(c->d, "out of memory");
		return false;
	}
	names_init(&c->seen, &c->mem);
	c->kind =
	    LLVMGetMDKindIDInContext(LLVMGetModuleContext(c->module), PLACE_KIND, sizeof PLACE_KIND - 1);
	find_sites(c);
	if (!c->sites.len)
		return true;
	compile_apart_set_up(c->machine, c->module);
	if (compile_sites(c, c->sites.data, c->sites.len, reason) != COMPILE_REFUSED)
		return true;
	uint32_t errors = c->d->errors;
	for (uint32_t i = 0; i < c->sites.len && !diag_full(c->d); i++)
		if (compile_sites(c, &c->sites.data[i], 1, reason) == COMPILE_REFUSED)
			report(c, &c->sites.data[i], reason);
	return c->d->errors == errors;
}

bool intrinsics_check(LLVMModuleRef module, LLVMTargetMachineRef machine, Diags *d)
{
	OomGuard guard;
	Check c = {.module = module, .machine = machine, .d = d, .budget = compile_budget};
	if (!LLVMGetNamedMetadataNumOperands(module, PLACE_INTRINSICS))
		return true;
	arena_init(&c.mem);
	c.mem.oom = &guard;
	bool ok = check(&c, &guard);
	arena_free(&c.mem);
	return ok;
}
