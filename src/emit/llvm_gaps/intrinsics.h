/* emit/llvm_gaps/intrinsics.h: the intrinsics that a module names itself, tried before LLVM makes code for them.
 *
 * LLVM ends the process, or crashes, over one that the CPU lacks, that is another machine's, or that has an
 * argument it does not know (a rounding mode); which, only its code generator tells. So they are compiled
 * alone in a process of their own, all at once: a module that names none costs nothing. The lowering gives
 * each call !circ.place (lower/source_place.c), and the module the named metadata `circ.intrinsics`.
 *
 * Threads    any. The other process does nothing but make code and end; it ends after a while in any case.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_INTRINSICS_H
#define CIRC_EMIT_LLVM_GAPS_INTRINSICS_H

#include "base/diag.h"

#include <llvm-c/TargetMachine.h>

/* False: a CIRC_ERROR at each call that LLVM has no code for. True where no process can be had. */
bool intrinsics_check(LLVMModuleRef module, LLVMTargetMachineRef machine, Diags *d);

#endif
