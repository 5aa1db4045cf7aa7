/* emit/target.c: the target machine. */
#include "base/vec.h"
#include "emit/cpu.h"
#include "emit/emit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* Only what is needed: initialising all of LLVM's targets takes longer than compiling a small file. */
static void initialize_x86(void)
{
	LLVMInitializeX86TargetInfo();
	LLVMInitializeX86Target();
	LLVMInitializeX86TargetMC();
	LLVMInitializeX86AsmPrinter();
	LLVMInitializeX86AsmParser();
}

static void initialize_aarch64(void)
{
	LLVMInitializeAArch64TargetInfo();
	LLVMInitializeAArch64Target();
	LLVMInitializeAArch64TargetMC();
	LLVMInitializeAArch64AsmPrinter();
	LLVMInitializeAArch64AsmParser();
}

static void initialize_wasm(void)
{
	LLVMInitializeWebAssemblyTargetInfo();
	LLVMInitializeWebAssemblyTarget();
	LLVMInitializeWebAssemblyTargetMC();
	LLVMInitializeWebAssemblyAsmPrinter();
	LLVMInitializeWebAssemblyAsmParser();
}

static struct {
	pthread_once_t once;
	void (*initialize)(void);
} llvm_targets[PROCESSOR_COUNT] = {
    [PROCESSOR_X86_64] = {PTHREAD_ONCE_INIT, initialize_x86},
    [PROCESSOR_AARCH64] = {PTHREAD_ONCE_INIT, initialize_aarch64},
    [PROCESSOR_WASM32] = {PTHREAD_ONCE_INIT, initialize_wasm},
};

void emit_initialize(const AbiTarget *target)
{
	AbiProcessor p = target->machine->processor;
	pthread_once(&llvm_targets[p].once, llvm_targets[p].initialize);
}

void emit_llvm_version(char *out, size_t size)
{
	unsigned major, minor, patch;
	LLVMGetVersion(&major, &minor, &patch);
	snprintf(out, size, "%u.%u.%u", major, minor, patch);
}

/* LLVM's string, as one that free() takes. */
static char *take(char *message)
{
	char *copy = message ? strdup(message) : NULL;
	LLVMDisposeMessage(message);
	return copy;
}

/* LLVM's string. */
static char *host_triple(void)
{
	char *host = LLVMGetDefaultTargetTriple();
	char *normal = LLVMNormalizeTargetTriple(host);
	LLVMDisposeMessage(host);
	return normal;
}

char *emit_triple(const char *triple)
{
	return take(triple ? LLVMNormalizeTargetTriple(triple) : host_triple());
}

bool emit_is_windows(const char *triple)
{
	return strstr(triple, "-windows") != NULL;
}

bool emit_is_mingw(const char *triple)
{
	return strstr(triple, "-windows-gnu") != NULL;
}

bool emit_is_msvc(const char *triple)
{
	return strstr(triple, "-windows-msvc") != NULL;
}

/* The architecture and the system count; vendors differ in spelling, environments in the
 * C library of the same ABI. */
bool emit_runs_here(const char *triple)
{
	char *host = host_triple();
	const char *os = strchr(host, '-');
	os = os ? strchr(os + 1, '-') : NULL;
	const char *own_os = strchr(triple, '-');
	own_os = own_os ? strchr(own_os + 1, '-') : NULL;
	bool same = os && own_os && strncmp(host, triple, strcspn(host, "-") + 1) == 0 &&
	            strcspn(os + 1, "-") == strcspn(own_os + 1, "-") &&
	            strncmp(os, own_os, strcspn(os + 1, "-") + 1) == 0;
	LLVMDisposeMessage(host);
	return same;
}

char *emit_machine_data_layout(LLVMTargetMachineRef machine, Diags *d)
{
	LLVMTargetDataRef data = LLVMCreateTargetDataLayout(machine);
	char *layout = take(LLVMCopyStringRepOfTargetData(data));
	LLVMDisposeTargetData(data);
	if (!layout)
		diag_failure(d, "out of memory");
	return layout;
}

static LLVMCodeGenOptLevel codegen_level(char opt)
{
	switch (opt) {
	case '0':
		return LLVMCodeGenLevelNone;
	case '1':
		return LLVMCodeGenLevelLess;
	case '3':
		return LLVMCodeGenLevelAggressive;
	default:
		return LLVMCodeGenLevelDefault;
	}
}

/* What LLVMCreateTargetMachine() wants, worked out of an EmitTarget. */
typedef struct Names {
	char *triple, *cpu, *features;
	char *host_cpu, *host_features; /* LLVM's strings, for "native" */
} Names;

/* "avx2,-sse4a" to "+avx2,-sse4a"; without what LLVM does not know. */
static void sign_features(const char *in, const AbiMachine *machine, StrBuf *out, Arena *a)
{
	while (*in) {
		size_t n = strcspn(in, ",");
		bool has_sign = *in == '+' || *in == '-';
		Str name = {in + has_sign, n - has_sign};
		if (n && !(machine->exnref_feature && str_is(name, machine->exnref_feature))) {
			if (out->len)
				buf_char(a, out, ',');
			buf_char(a, out, has_sign ? *in : '+');
			buf_put(a, out, name);
		}
		in += n + (in[n] == ',');
	}
}

static void choose_names(const EmitTarget *t, const AbiMachine *machine, Names *n, Arena *a)
{
	bool native = t->cpu && strcmp(t->cpu, "native") == 0;
	n->host_cpu = native ? LLVMGetHostCPUName() : NULL;
	n->host_features = native ? LLVMGetHostCPUFeatures() : NULL;
	const char *cpu = native ? n->host_cpu : t->cpu ? t->cpu : "generic";
	n->cpu = arena_copy(a, cpu, strlen(cpu));
	StrBuf features = {0};
	if (native)
		sign_features(n->host_features, machine, &features, a);
	if (t->features)
		sign_features(t->features, machine, &features, a);
	n->features = arena_copy(a, features.data, features.len);
}

/* Another processor knows neither this one's name nor its features. */
static bool check_native(const EmitTarget *t, const Names *n, const AbiMachine *machine, Diags *d)
{
	if (!t->cpu || strcmp(t->cpu, "native") != 0)
		return true;
	char *host = LLVMGetDefaultTargetTriple();
	const AbiTarget *row = abi_target(str_of(host));
	LLVMDisposeMessage(host);
	if (row && row->machine->processor == machine->processor)
		return true;
	diag_error(
	    d, (Loc){0},
	    "CPU 'native' is that of this machine, which has no code for target '%s'; name one of its CPUs",
	    n->triple);
	return false;
}

static LLVMTargetMachineRef create_machine(LLVMTargetRef target, const Names *n, const EmitTarget *t)
{
	return LLVMCreateTargetMachine(target, n->triple, n->cpu, n->features, codegen_level(t->opt),
	                               t->pic ? LLVMRelocPIC : LLVMRelocStatic, LLVMCodeModelDefault);
}

void emit_report_unsupported(const char *triple, Loc at, Diags *d)
{
	const char *lack = abi_target(str_of(triple)) ? "" : abi_target_lack(str_of(triple));
	diag_error(d, at, "target '%s' is unknown or not supported%s; expected " ABI_TARGETS, triple, lack);
}

/* LLVM's own description of the target decides, not the spelling of the triple. */
static bool check_supported(LLVMTargetMachineRef machine, const AbiTarget *row, const char *triple, Loc at,
                            Diags *d)
{
	LLVMTargetDataRef data = LLVMCreateTargetDataLayout(machine);
	char *layout = LLVMCopyStringRepOfTargetData(data);
	bool addresses = LLVMPointerSize(data) == row->machine->address_size;
	bool elf = strstr(layout, "-m:e") != NULL;
	bool macho = strstr(layout, "-m:o") != NULL && row->object == ABI_OBJECT_MACHO;
	bool coff = strstr(layout, "-m:w") != NULL && (emit_is_msvc(triple) || emit_is_mingw(triple));
	LLVMDisposeMessage(layout);
	LLVMDisposeTargetData(data);
	if (addresses && (elf || coff || macho))
		return true;
	emit_report_unsupported(triple, at, d);
	return false;
}

static LLVMTargetMachineRef make_machine(const EmitTarget *t, Names *n, Arena *a, Diags *d)
{
	LLVMTargetRef target;
	char *message = NULL;
	const AbiTarget *row = abi_target(str_of(n->triple));
	if (row)
		emit_initialize(row);
	if (!row || LLVMGetTargetFromTriple(n->triple, &target, &message)) {
		LLVMDisposeMessage(message);
		emit_report_unsupported(n->triple, t->at, d);
		return NULL;
	}
	if (!check_native(t, n, row->machine, d))
		return NULL;
	choose_names(t, row->machine, n, a);
	bool asked = !t->known && (t->cpu || t->features);
	if (asked && !cpu_check(&(CpuNames){n->triple, n->cpu, n->features}, d))
		return NULL;
	LLVMTargetMachineRef machine = create_machine(target, n, t);
	if (machine && check_supported(machine, row, n->triple, t->at, d))
		return machine;
	if (machine)
		LLVMDisposeTargetMachine(machine);
	else
		diag_failure(d, "LLVM has no code generator for target '%s'", n->triple);
	return NULL;
}

/* What the names and the arena hold by then is the caller's to free, in any case. */
static LLVMTargetMachineRef make_machine_guarded(const EmitTarget *t, Names *n, Arena *a, OomGuard *guard,
                                                 Diags *d)
{
	if (!n->triple || setjmp(guard->env)) {
		diag_failure(d, "out of memory");
		return NULL;
	}
	return make_machine(t, n, a, d);
}

LLVMTargetMachineRef emit_target_machine(const EmitTarget *t, Diags *d)
{
	Arena scratch;
	OomGuard guard;
	arena_init(&scratch);
	scratch.oom = &guard;
	Names names = {.triple = emit_triple(t->triple)};
	LLVMTargetMachineRef machine = make_machine_guarded(t, &names, &scratch, &guard, d);
	free(names.triple);
	LLVMDisposeMessage(names.host_cpu);
	LLVMDisposeMessage(names.host_features);
	arena_free(&scratch);
	return machine;
}
