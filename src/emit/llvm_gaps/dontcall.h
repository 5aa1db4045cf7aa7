/* emit/llvm_gaps/dontcall.h: calls of functions that say "dontcall-error" or "dontcall-warn" of themselves, which is how
 * clang passes on `__attribute__((error("…")))`: what is left of them behind the optimiser is told.
 *
 * LLVM tells it, too, but without a place that circ could show.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_DONTCALL_H
#define CIRC_EMIT_LLVM_GAPS_DONTCALL_H

#include "base/diag.h"

#include <llvm-c/Core.h>

/* Before the code generator, which is not to tell it again: takes the attributes away.
 * Cost: the functions; with such a function, all instructions. */
void dontcall_report(LLVMModuleRef module, Diags *d);

#endif
