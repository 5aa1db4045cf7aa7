/* emit/llvm_gaps/catch_state.h: what follows a handler of C++, for windows-msvc with the module flag `eh-asynch`.
 *
 * With the flag LLVM gives each block of a function a state, also for instructions that are no invokes: that of the
 * blocks before it, which llvm.seh.scope.begin and .end change (calculateCXXStateForAsynchEH() of WinEHPrepare.cpp; seen in LLVM 19.1.7
 * and 22.1.8). What is not within such a pair has the state -1: no pad sees it. A catchret, however, leads to the
 * state of the pads around its catchswitch. In clang's code an end follows; circ has no pairs, since in its functions
 * invokes alone are seen. Without this, those pads would see what follows a handler, though they were left since.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_CATCH_STATE_H
#define CIRC_EMIT_LLVM_GAPS_CATCH_STATE_H

#include "base/diag.h"

#include <llvm-c/Types.h>

/* After the last pass of the optimizer, before the code generator. Cost: the blocks of functions with handlers. False: no memory, which is
 * reported. */
bool emit_end_catch_states(LLVMModuleRef module, Diags *d);

#endif
