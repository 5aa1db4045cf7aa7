/* emit/emit.h: an LLVM module to files or memory.
 *
 * Files appear whole or not at all: written beside the target under a temporary name and renamed (design.md section 7). On any
 * failure the old file is untouched and no temporary file stays.
 * Errors   false: a CIRC_FAILURE (system, LLVM) or CIRC_ERROR (unknown target, CPU, …) was reported.
 * Threads  distinct contexts may be used at once. LLVM's targets are initialised once per process, on first use.
 */
#ifndef CIRC_EMIT_EMIT_H
#define CIRC_EMIT_EMIT_H

#include "base/diag.h"

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

typedef enum EmitFormat { EMIT_LLVM_IR, EMIT_BITCODE, EMIT_ASSEMBLY, EMIT_OBJECT } EmitFormat;

typedef struct EmitTarget {
	const char *triple;   /* NULL: the host's */
	const char *cpu;      /* NULL: generic */
	const char *features; /* LLVM's "+avx2,-sse4a"; NULL: none */
	char opt;             /* '0' '1' '2' '3' 's' */
	bool pic;
} EmitTarget;

/* NULL: unknown or unsupported triple, CPU …; reported. Dispose with LLVMDisposeTargetMachine. */
LLVMTargetMachineRef emit_target_machine(const EmitTarget *t, Diags *d);

/* LLVM's verifier: a failure is a bug of circ, reported as CIRC_FAILURE with LLVM's words. */
bool emit_verify(LLVMModuleRef module, Diags *d);
/* LLVM's standard pipeline for t->opt. */
bool emit_optimize(LLVMModuleRef module, LLVMTargetMachineRef tm, char opt, Diags *d);

/* path "-": standard output. */
bool emit_file(LLVMModuleRef module, LLVMTargetMachineRef tm, EmitFormat format, const char *path, Diags *d);
/* *data: malloc'ed, the caller frees it. */
bool emit_memory(LLVMModuleRef module, LLVMTargetMachineRef tm, EmitFormat format, char **data, size_t *len, Diags *d);

/* Writes bytes as a whole file, the same way. */
bool emit_bytes(const char *path, Str bytes, Diags *d);

#endif
