/* emit/llvm_gaps/wasm_asm.h: assembly of WebAssembly, tried before LLVM makes code for it.
 *
 * LLVM ends the process over some of it when it writes the object: over a label without a `.size`, for one. So the module's assembly, and each
 * call of any, is compiled alone in a process of its own first. What LLVM only refuses, `refusal` reports with its line.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_WASM_ASM_H
#define CIRC_EMIT_LLVM_GAPS_WASM_ASM_H

#include "base/diag.h"

#include <llvm-c/TargetMachine.h>

/* needs    the module as code is made of it
 * errors   false: a CIRC_ERROR for each. True where no process can be had */
bool wasm_asm_check(LLVMModuleRef module, LLVMTargetMachineRef machine, Diags *d);

#endif
