/* emit/llvm_gaps/wasm_writer.c: from bitcode to an object by
 *
 * 	clang --target=TRIPLE -x ir -fwasm-exceptions -Xclang -disable-llvm-passes -OLEVEL -c - -o -
 *
 * All three files have no name. What clang says is the text of the error. With the feature "exnref", `-mllvm -wasm-use-legacy-eh=false` besides.
 */
#include "emit/llvm_gaps/wasm_writer.h"

#include "base/vec.h"
#include "emit/output.h"
#include "emit/process.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>

enum { FIRST_WITH_EXNREF = 20 };

bool wasm_writer_is_needed(LLVMModuleRef module)
{
	static const char catches[] = "__gxx_wasm_personality_v0", throws[] = "llvm.wasm.throw";
	const AbiTarget *target = abi_target(str_of(LLVMGetTarget(module)));
	return target && target->shape == SHAPE_WASM_CATCHES &&
	       (LLVMGetNamedFunction(module, catches) || LLVMGetNamedFunction(module, throws));
}

typedef struct Writer {
	const WasmWriterJob *job;
	Arena *a;
	VEC(const char *) args;
	ProcessFiles files;
} Writer;

static void add(Writer *w, const char *arg)
{
	vec_push(w->a, &w->args, arg);
}

/* An argument of clang's own compiler. */
static void add_inner(Writer *w, const char *option, Str value)
{
	add(w, "-Xclang");
	add(w, option);
	add(w, "-Xclang");
	add(w, arena_copy(w->a, value.data, value.len));
}

static void add_machine(Writer *w)
{
	char *cpu = LLVMGetTargetMachineCPU(w->job->machine);
	char *features = LLVMGetTargetMachineFeatureString(w->job->machine);
	add_inner(w, "-target-cpu", str_of(cpu));
	for (const char *at = features; *at; at += *at == ',') {
		size_t n = strcspn(at, ",");
		add_inner(w, "-target-feature", (Str){at, n});
		at += n;
	}
	LLVMDisposeMessage(cpu);
	LLVMDisposeMessage(features);
}

static bool has_exnref(const WasmWriterJob *job)
{
	const AbiTarget *target = abi_target(str_of(LLVMGetTarget(job->module)));
	return target && job->target->features &&
	       abi_has_exnref(target->machine, str_of(job->target->features));
}

/* The last word of a list counts. */
static bool lacks_exceptions(const WasmWriterJob *job)
{
	static const char feature[] = "exception-handling";
	char *features = LLVMGetTargetMachineFeatureString(job->machine);
	bool lacks = false;
	for (const char *at = features; (at = strstr(at, feature)); at += sizeof feature - 1)
		lacks = at > features && at[-1] == '-';
	LLVMDisposeMessage(features);
	return lacks;
}

/* Bitcode is read by the LLVM that wrote it, and by later ones. */
static const char *find_clang(Writer *w)
{
	unsigned major, minor, patch;
	if (lacks_exceptions(w->job)) {
		diag_failure(
		    w->job->d,
		    "CPU feature '-exception-handling' is not available, because the module has exceptions");
		return NULL;
	}
	LLVMGetVersion(&major, &minor, &patch);
	if (major < FIRST_WITH_EXNREF && has_exnref(w->job)) {
		diag_failure(w->job->d, "CPU feature 'exnref' requires LLVM %d or later; this is LLVM %u",
		             FIRST_WITH_EXNREF, major);
		return NULL;
	}
	const char *names[] = {arena_printf(w->a, "clang-%u", major), "clang-22", "clang"};
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *path = process_find(names[i], w->a);
		if (path)
			return path;
	}
	diag_failure(w->job->d,
	             "no compiler found for WebAssembly's exceptions, which LLVM %u writes only from clang: "
	             "neither %s nor clang is on PATH; install clang (Debian: %s)",
	             major, names[0], names[0]);
	return NULL;
}

static void add_arguments(Writer *w, const char *program)
{
	const WasmWriterJob *job = w->job;
	const char *const plain[] = {program,
	                             arena_printf(w->a, "--target=%s", LLVMGetTarget(job->module)),
	                             "-w",
	                             "-x",
	                             "ir",
	                             "-fwasm-exceptions",
	                             "-Xclang",
	                             "-disable-llvm-passes",
	                             arena_printf(w->a, "-O%c", job->target->opt)};
	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		add(w, plain[i]);
	if (has_exnref(job)) {
		add(w, "-mllvm");
		add(w, "-wasm-use-legacy-eh=false");
	}
	add_machine(w);
	add(w, job->assembly ? "-S" : "-c");
	add(w, "-");
	add(w, "-o");
	add(w, "-");
	add(w, NULL);
}

static bool run(Writer *w, const char *program)
{
	SignalHold hold;
	signal_hold(&hold);
	ProcessEnd end = process_run(program, w->args.data, &w->files, &hold);
	signal_release(&hold);
	Str said = output_map(w->files.err);
	const char *text = said.len ? arena_copy(w->a, said.data, said.len) : "";
	output_unmap(said);
	Diags *d = w->job->d;
	if (end.interrupted)
		diag_failure(d, "'%s' was interrupted: %s", program, strsignal(end.interrupted));
	else if (end.error)
		diag_failure(d, "cannot run '%s': %s", program, strerror(end.error));
	else if (end.signal)
		diag_failure(d, "'%s' was killed by a signal: %s", program, strsignal(end.signal));
	else if (end.status)
		diag_failure(d, "LLVM cannot generate code: '%s' failed with exit status %d: %s", program,
		             end.status, text);
	else
		return true;
	return false;
}

static bool write_bitcode(const Writer *w)
{
	if (LLVMWriteBitcodeToFD(w->job->module, w->files.in, false, false) == 0 &&
	    lseek(w->files.in, 0, SEEK_SET) == 0)
		return true;
	diag_failure(w->job->d, "cannot write bitcode: %s", strerror(errno));
	return false;
}

static Str write_files(Writer *w)
{
	Str object = {0};
	const char *program = find_clang(w);
	if (!program || !write_bitcode(w))
		return object;
	add_arguments(w, program);
	if (!run(w, program))
		return object;
	object = output_map(w->files.out);
	if (!object.data)
		diag_failure(w->job->d, "cannot read the generated code: %s", strerror(errno));
	return object;
}

static Str write_guarded(Writer *w, OomGuard *guard)
{
	if (setjmp(guard->env)) {
		diag_failure(w->job->d, "out of memory");
		return (Str){0};
	}
	return write_files(w);
}

static void close_files(const ProcessFiles *f)
{
	const int all[] = {f->in, f->out, f->err};
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (all[i] >= 0)
			close(all[i]);
}

Str wasm_writer_write(const WasmWriterJob *job)
{
	Arena scratch;
	OomGuard guard;
	arena_init(&scratch);
	scratch.oom = &guard;
	Writer w = {.job = job, .a = &scratch};
	w.files = (ProcessFiles){output_anonymous(), output_anonymous(), output_anonymous()};
	Str object = {0};
	if (w.files.in < 0 || w.files.out < 0 || w.files.err < 0)
		diag_failure(job->d, "cannot make a temporary file: %s", strerror(errno));
	else
		object = write_guarded(&w, &guard);
	close_files(&w.files);
	arena_free(&scratch);
	return object;
}
