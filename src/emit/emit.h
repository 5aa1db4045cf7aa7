/* emit/emit.h: an LLVM module to files or memory.
 *
 * Files appear whole or not at all (emit/output.h, design.md section 7): on any failure the old file is
 * untouched and no temporary file stays.
 * Errors   false or NULL: a CIRC_FAILURE (system, LLVM) or CIRC_ERROR (unknown target, CPU, …) was reported.
 * Threads  distinct contexts may be used at once. LLVM's targets are initialised once per
 *          process, on first use.
 */
#ifndef CIRC_EMIT_EMIT_H
#define CIRC_EMIT_EMIT_H

#include "base/diag.h"
#include "target/target.h"

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

typedef enum EmitFormat { EMIT_LLVM_IR, EMIT_BITCODE, EMIT_ASSEMBLY, EMIT_OBJECT } EmitFormat;

typedef struct EmitTarget {
	const char *triple;   /* NULL: the host's */
	const char *cpu;      /* NULL: generic; "native": the host's, with its features */
	const char *features; /* LLVM's "+avx2,-sse4a", a missing sign means '+'; NULL: none */
	char opt;             /* '0' '1' '2' '3' 's' */
	bool pic;
	Loc at;     /* what says the triple, or nowhere */
	bool known; /* a machine like this was made before: the names are right */
} EmitTarget;

/* "22.1.8" */
void emit_llvm_version(char *out, size_t size);

/* LLVM's code generator for a target, once per process; emit_target_machine() does it, too. */
void emit_initialize(const AbiTarget *target);

/* The triple in LLVM's normal form; NULL: the host's. malloc'ed; NULL when there is no memory. */
char *emit_triple(const char *triple);

/* Of triples in their normal form. MinGW: Windows with the Itanium ABI. Windows has more
 * environments than these two. */
bool emit_is_windows(const char *triple);
bool emit_is_mingw(const char *triple);
bool emit_is_msvc(const char *triple);

/* Can code for that triple (in its normal form) run in this process? */
bool emit_runs_here(const char *triple);

/* NULL: unknown or unsupported triple, CPU …; reported. Dispose with LLVMDisposeTargetMachine. */
LLVMTargetMachineRef emit_target_machine(const EmitTarget *t, Diags *d);
/* LLVM complains about names of CPUs and features on standard error, which is redirected
 * while emit_target_machine() looks at them. A program of several threads that writes
 * there itself holds it meanwhile. */
void emit_hold_standard_error(void);
void emit_release_standard_error(void);
/* The error for a triple that no part of circ knows. */
void emit_report_unsupported(const char *triple, Loc at, Diags *d);
/* As LowerOptions wants it. malloc'ed; NULL: no memory, reported. */
char *emit_machine_data_layout(LLVMTargetMachineRef machine, Diags *d);

/* A context that hands LLVM's diagnostics (of the back end, of inline assembly) to d, which must outlive it. */
LLVMContextRef emit_context(Diags *d);

/* For users that do not include LLVM's headers; each may be NULL. */
void emit_dispose(LLVMContextRef context, LLVMModuleRef module, LLVMTargetMachineRef machine);

/* LLVM ends the process on errors that it cannot return; `handler` is then told why, and must not return. One
 * per process: for programs, not for libraries. */
void emit_on_fatal_error(void (*handler)(const char *reason));

/* LLVM's verifier: a failure is a bug of circ, reported as CIRC_FAILURE with LLVM's words. The CPUs and
 * features that functions ask for are looked at, too: a CIRC_ERROR. */
bool emit_verify(LLVMModuleRef module, Diags *d);
/* LLVM's standard pipeline for t->opt; before that, a CIRC_ERROR for each intrinsic that there
 * is no code for (emit/llvm_gaps/intrinsics.h). */
bool emit_optimize(LLVMModuleRef module, LLVMTargetMachineRef machine, char opt, Diags *d);

/* A module in some format, in memory. */
typedef struct EmitImage {
	Str bytes;
	/* who holds them: */
	char *allocated; /* by malloc */
	char *message;   /* of LLVM */
	LLVMMemoryBufferRef buffer;
	Str mapped;
} EmitImage;

/* Does emit_image() start another program for it? */
bool emit_starts_program(LLVMModuleRef module, EmitFormat format);
/* EMIT_ASSEMBLY and EMIT_OBJECT leave the module fit only to be disposed of. The image
 * does not need it any more. t: what the machine was made for */
bool emit_image(LLVMModuleRef module, LLVMTargetMachineRef machine, const EmitTarget *t, EmitFormat format,
                EmitImage *image, Diags *d);
void emit_image_destroy(EmitImage *image);

/* Takes the bytes out of the image: malloc'ed. NULL: no memory. */
char *emit_image_take(EmitImage *image, size_t *len);

/* Writes bytes as a whole file. path "-": standard output. */
bool emit_bytes(const char *path, Str bytes, Diags *d);

#endif
