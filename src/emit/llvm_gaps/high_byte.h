/* emit/llvm_gaps/high_byte.h: assembly with a byte in ah, bh, ch or dh, tried before LLVM makes code for it.
 *
 * What is moved to or from these may be in no register that needs a REX prefix (Intel SDM, volume 2, 3.7.2.1), which
 * LLVM's allocation of registers does not know: its assembler ends the process. So a module that has such assembly is
 * compiled in a process of its own first, and one function after the other when that fails. The lowering gives it the
 * named metadata `circ.high_bytes` (lower/op_asm.c).
 */
#ifndef CIRC_EMIT_LLVM_GAPS_HIGH_BYTE_H
#define CIRC_EMIT_LLVM_GAPS_HIGH_BYTE_H

#include "base/diag.h"
#include "emit/llvm_gaps/compile_apart.h"

#include <llvm-c/TargetMachine.h>

/* needs    the module as code is made of it
 * errors   false: a CIRC_ERROR for each function that LLVM cannot encode. True where no process can be had */
bool high_byte_check(LLVMModuleRef module, LLVMTargetMachineRef machine, Diags *d);
/* Would making code of the module end the process? For those that no lowering made. */
bool high_byte_ends_process(LLVMModuleRef module, LLVMTargetMachineRef machine, CompileBudget *budget);

#endif
