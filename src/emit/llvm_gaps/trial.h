/* emit/llvm_gaps/trial.h: one call alone in a function, to see what LLVM makes of it.
 *
 * Ownership  a trial module lives in the context of the module that it is like; LLVMDisposeModule.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_TRIAL_H
#define CIRC_EMIT_LLVM_GAPS_TRIAL_H

#include <stdbool.h>

#include <llvm-c/Types.h>

/* Empty, for the same target. */
LLVMModuleRef trial_module(LLVMModuleRef like);
/* One with the module's own assembly. node: its place (emit/source_place.h), or null. NULL: it has no assembly. */
LLVMModuleRef trial_module_assembly(LLVMModuleRef like, LLVMValueRef *node);
/* A function that makes the same call (of assembly, of an intrinsic) for the same CPU as `function`, where
 * the call is; what is not constant are its parameters. False: no memory. */
bool trial_add_call(LLVMModuleRef trial, LLVMValueRef call, LLVMValueRef function);

#endif
