/* emit/llvm_gaps/wasm_writer.h: WebAssembly's exceptions, which LLVM writes only where its options say that they are the model of exceptions, and
 * its C interface cannot set that (docs/internals/llvm-gaps.md). Modules with such exceptions are handed to clang as bitcode.
 *
 * Threads  the calling thread waits for clang.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_WASM_WRITER_H
#define CIRC_EMIT_LLVM_GAPS_WASM_WRITER_H

#include "emit/emit.h"

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

/* For WebAssembly, and with exceptions? */
bool wasm_writer_is_needed(LLVMModuleRef module);

typedef struct WasmWriterJob {
	LLVMModuleRef module;
	LLVMTargetMachineRef machine;
	const EmitTarget *target;
	bool assembly;
	Diags *d;
} WasmWriterJob;

/* An object or assembly; output_unmap() gives it back. data NULL: reported. */
Str wasm_writer_write(const WasmWriterJob *job);

#endif
