/* emit/emit.c: an LLVM module through LLVM's verifier, optimiser and writers. */
#include "emit/emit.h"

#include "emit/cpu.h"
#include "emit/fault_maps.h"
#include "emit/init_array.h"
#include "emit/llvm_gaps/asm_unwind.h"
#include "emit/llvm_gaps/catch_state.h"
#include "emit/llvm_gaps/cleanup_end.h"
#include "emit/llvm_gaps/dontcall.h"
#include "emit/llvm_gaps/filter_parent.h"
#include "emit/llvm_gaps/high_byte.h"
#include "emit/llvm_gaps/intrinsics.h"
#include "emit/llvm_gaps/label_distance.h"
#include "emit/llvm_gaps/landing_phi.h"
#include "emit/llvm_gaps/libcalls.h"
#include "emit/llvm_gaps/pad_phi.h"
#include "emit/llvm_gaps/recovered_address.h"
#include "emit/llvm_gaps/refusal.h"
#include "emit/llvm_gaps/scope_ranges.h"
#include "emit/llvm_gaps/wasm_asm.h"
#include "emit/llvm_gaps/wasm_invoke_phi.h"
#include "emit/llvm_gaps/wasm_writer.h"
#include "emit/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Transforms/PassBuilder.h>

static void report_llvm(LLVMDiagnosticInfoRef info, void *user)
{
	Diags *d = user;
	LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
	if (severity != LLVMDSError && severity != LLVMDSWarning)
		return;
	char *text = LLVMGetDiagInfoDescription(info);
	if (severity == LLVMDSError)
		diag_failure(d, "LLVM: %s", text);
	else
		diag_warning(d, (Loc){0}, "LLVM: %s", text);
	LLVMDisposeMessage(text);
}

LLVMContextRef emit_context(Diags *d)
{
	LLVMContextRef context = LLVMContextCreate();
	LLVMContextSetDiagnosticHandler(context, report_llvm, d);
	return context;
}

void emit_dispose(LLVMContextRef context, LLVMModuleRef module, LLVMTargetMachineRef machine)
{
	if (module)
		LLVMDisposeModule(module);
	if (context)
		LLVMContextDispose(context);
	if (machine)
		LLVMDisposeTargetMachine(machine);
}

void emit_on_fatal_error(void (*handler)(const char *reason))
{
	LLVMInstallFatalErrorHandler(handler);
}

bool emit_verify(LLVMModuleRef module, Diags *d)
{
	char *message = NULL;
	bool broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
	if (broken)
		diag_failure(
		    d, "LLVM rejects the module that circ built; this is a bug in circ, please report it: %s",
		    message);
	LLVMDisposeMessage(message);
	return !broken && cpu_check_functions(module, d);
}

static unsigned attribute_kind(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* LLVM's pipeline for size leaves to attributes what the code generator does; clang
 * marks its functions so, too. */
static void mark_for_size(LLVMModuleRef module)
{
	unsigned size = attribute_kind("optsize"), none = attribute_kind("optnone");
	LLVMAttributeRef mark = LLVMCreateEnumAttribute(LLVMGetModuleContext(module), size, 0);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f) &&
		    !LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, none))
			LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, mark);
}

static bool has_inlined_call(LLVMValueRef function, unsigned always)
{
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if ((LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) &&
		    LLVMGetCallSiteEnumAttribute(user, LLVMAttributeFunctionIndex, always))
			return true;
	}
	return false;
}

static bool is_coroutine_intrinsic(LLVMValueRef function)
{
	size_t len;
	return strncmp(LLVMGetValueName2(function, &len), "llvm.coro.", strlen("llvm.coro.")) == 0;
}

/* What is in LLVM's pipeline for -O0: it inlines what must be, and splits coroutines. For that it would look at each
 * instruction of the module. */
static bool needs_least_pipeline(LLVMModuleRef module)
{
	unsigned always = attribute_kind("alwaysinline"), coroutine = attribute_kind("presplitcoroutine");
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, always) ||
		    LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, coroutine))
			return true;
		if (LLVMIsDeclaration(f) ? is_coroutine_intrinsic(f) : has_inlined_call(f, always))
			return true;
	}
	return false;
}

static void run_pipeline(LLVMModuleRef module, LLVMTargetMachineRef machine, char opt, Diags *d)
{
	char pipeline[] = "default<O0>";
	pipeline[9] = opt;
	bool widens = opt != '0' && opt != '1'; /* as clang does */
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMPassBuilderOptionsSetLoopVectorization(options, widens);
	LLVMPassBuilderOptionsSetSLPVectorization(options, widens);
	LLVMPassBuilderOptionsSetLoopInterleaving(options, widens);
	LLVMPassBuilderOptionsSetLoopUnrolling(options, widens);
	LLVMErrorRef error = LLVMRunPasses(module, pipeline, machine, options);
	LLVMDisposePassBuilderOptions(options);
	if (error) {
		char *message = LLVMGetErrorMessage(error);
		diag_failure(d, "LLVM cannot run the pipeline '%s': %s", pipeline, message);
		LLVMDisposeErrorMessage(message);
	}
}

bool emit_optimize(LLVMModuleRef module, LLVMTargetMachineRef machine, char opt, Diags *d)
{
	uint32_t errors = d->errors;
	if (!intrinsics_check(module, machine, d))
		return false;
	libcalls_note_own(module);
	if (opt == 's')
		mark_for_size(module);
	if (opt != '0' && !emit_hold_cleanup_ends(module, d))
		return false;
	if (opt != '0' || needs_least_pipeline(module))
		run_pipeline(module, machine, opt, d);
	bool ok = emit_settle_cleanup_ends(module, machine, d) && emit_end_catch_states(module, d);
	emit_break_pad_phis(module);
	if (wasm_writer_is_needed(module))
		wasm_split_invoke_phis(module);
	emit_settle_label_distances(module);
	return ok && emit_end_scope_ranges(module, d) && high_byte_check(module, machine, d) &&
	       wasm_asm_check(module, machine, d) && d->errors == errors;
}

static LLVMCodeGenFileType file_type(EmitFormat format)
{
	return format == EMIT_OBJECT ? LLVMObjectFile : LLVMAssemblyFile;
}

static bool report_codegen(char *message, Diags *d)
{
	diag_failure(d, "LLVM cannot generate code: %s", message ? message : "unknown error");
	LLVMDisposeMessage(message);
	return false;
}

/* Code goes to an unnamed file in memory first: LLVM ends the process when it cannot write, and knows no
 * atomic files. NULL data with no error reported: there are no such files here. */
static Str generate_mapped(LLVMModuleRef module, LLVMTargetMachineRef machine, EmitFormat format, Diags *d)
{
	Str bytes = {0};
	int fd = output_anonymous();
	if (fd < 0)
		return bytes;
	char path[64], *message = NULL;
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (access(path, W_OK) == 0) {
		if (LLVMTargetMachineEmitToFile(machine, module, path, file_type(format), &message))
			report_codegen(message, d);
		else if (!(bytes = output_map(fd)).data)
			diag_failure(d, "cannot read the generated code: %s", strerror(errno));
	}
	close(fd);
	return bytes;
}

static LLVMMemoryBufferRef generate_buffer(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                           EmitFormat format, Diags *d)
{
	LLVMMemoryBufferRef buffer = NULL;
	char *message = NULL;
	if (format == EMIT_BITCODE)
		return LLVMWriteBitcodeToMemoryBuffer(module);
	if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, file_type(format), &message, &buffer)) {
		report_codegen(message, d);
		return NULL;
	}
	return buffer;
}

static bool image_in_memory(EmitImage *image, LLVMModuleRef module, LLVMTargetMachineRef machine,
                            EmitFormat format, Diags *d)
{
	if (format == EMIT_LLVM_IR) {
		image->message = LLVMPrintModuleToString(module);
		image->bytes = str_of(image->message);
		return true;
	}
	image->buffer = generate_buffer(module, machine, format, d);
	if (!image->buffer)
		return false;
	image->bytes = (Str){LLVMGetBufferStart(image->buffer), LLVMGetBufferSize(image->buffer)};
	return true;
}

bool emit_starts_program(LLVMModuleRef module, EmitFormat format)
{
	return (format == EMIT_ASSEMBLY || format == EMIT_OBJECT) && wasm_writer_is_needed(module);
}

static void prepare_code(LLVMModuleRef module, const EmitTarget *t, Diags *d)
{
	emit_init_arrays(module);
	fault_maps_prepare(module);
	asm_unwind_prepare(module);
	if (t->opt != '0')
		recovered_address_prepare(module);
	else if (landing_phi_prepare(module, d))
		filter_parent_prepare(module, d);
	dontcall_report(module, d);
}

/* Errors that reached the context's handler count, too: LLVM writes a file all the same. */
bool emit_image(LLVMModuleRef module, LLVMTargetMachineRef machine, const EmitTarget *t, EmitFormat format,
                EmitImage *image, Diags *d)
{
	uint32_t errors = d->errors;
	*image = (EmitImage){0};
	if (format == EMIT_ASSEMBLY)
		LLVMSetTargetMachineAsmVerbosity(machine, true);
	bool code = format == EMIT_ASSEMBLY || format == EMIT_OBJECT;
	if (code)
		prepare_code(module, t, d);
	Refusals refusals;
	refusals_begin(&refusals, module, d);
	if (emit_starts_program(module, format))
		image->bytes = image->mapped =
		    wasm_writer_write(&(WasmWriterJob){module, machine, t, format == EMIT_ASSEMBLY, d});
	else if (code)
		image->bytes = image->mapped = generate_mapped(module, machine, format, d);
	if (!image->bytes.data && d->errors == errors)
		image_in_memory(image, module, machine, format, d);
	refusals_end(&refusals, machine);
	if (code && image->bytes.data)
		fault_maps_name((char *)(uintptr_t)image->bytes.data, image->bytes.len,
		                format == EMIT_OBJECT);
	if (code && d->errors == errors)
		libcalls_check(module, format, image->bytes, d);
	return d->errors == errors;
}

void emit_image_destroy(EmitImage *image)
{
	free(image->allocated);
	LLVMDisposeMessage(image->message);
	if (image->buffer)
		LLVMDisposeMemoryBuffer(image->buffer);
	output_unmap(image->mapped);
	*image = (EmitImage){0};
}

char *emit_image_take(EmitImage *image, size_t *len)
{
	char *data = image->allocated ? image->allocated : malloc(image->bytes.len ? image->bytes.len : 1);
	if (!data)
		return NULL;
	if (image->allocated)
		*image = (EmitImage){.bytes = {NULL, image->bytes.len}};
	else
		memcpy(data, image->bytes.data, image->bytes.len);
	*len = image->bytes.len;
	return data;
}
