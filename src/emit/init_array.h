/* emit/init_array.h: functions that run before and after main, on ELF.
 *
 * Code generation gives llvm.global_ctors and llvm.global_dtors the form that the target machine's options
 * ask for, and LLVM-C cannot set that option: it gets .ctors and .dtors, which GNU ld turns into .init_array
 * and lld takes for data that nobody runs. So the lists become pointers in .init_array and .fini_array here
 * (System V ABI, "Initialization and Termination Functions"). */
#ifndef CIRC_EMIT_INIT_ARRAY_H
#define CIRC_EMIT_INIT_ARRAY_H

#include <llvm-c/Types.h>

/* To be called before code generation. Modules for other object formats stay as they are. */
void emit_init_arrays(LLVMModuleRef module);

#endif
